/**
 * Saves, restores and compares the states of a simulation: {@link dev.escapement.physics.restore.Restorable}, {@link
 * dev.escapement.physics.restore.StateHash}.
 */
@NullMarked
package dev.escapement.physics.restore;

import org.jspecify.annotations.NullMarked;
