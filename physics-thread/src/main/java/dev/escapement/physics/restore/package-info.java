/**
 * How a simulation saves, restores and compares its state: {@link dev.escapement.physics.restore.Restorable},
 * {@link dev.escapement.physics.restore.StateHash}.
 */
@NullMarked
package dev.escapement.physics.restore;

import org.jspecify.annotations.NullMarked;
