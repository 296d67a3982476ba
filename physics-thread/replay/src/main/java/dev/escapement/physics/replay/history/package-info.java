/**
 * Histories of a run, for rewinds, forks, late input, and corrections by an authority.
 *
 * <p>{@link dev.escapement.physics.replay.history.StateHistory} keeps the last ticks, {@code Rollback} lets late input change them,
 * {@link dev.escapement.physics.replay.history.Reconciler} lets a run stay ahead of an authority,
 * {@link dev.escapement.physics.replay.history.SyncTest} tests whether a simulation is deterministic.
 */
@NullMarked
package dev.escapement.physics.replay.history;

import org.jspecify.annotations.NullMarked;
