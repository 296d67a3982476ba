/**
 * Interfaces of a simulation whose state can be saved, restored and compared: {@link dev.escapement.physics.restore.Restorable},
 * {@link dev.escapement.physics.restore.BodyStates}, {@link dev.escapement.physics.restore.StateHash}.
 */
@NullMarked
package dev.escapement.physics.restore;

import org.jspecify.annotations.NullMarked;
