/**
 * Recording and replay of runs: every tick's input, and the hash of the state after it.
 *
 * <ul>
 *   <li>{@link dev.escapement.physics.replay.Recording} writes a log, {@link dev.escapement.physics.replay.InputLog} reads it and lets a
 *       service replay it, {@link dev.escapement.physics.replay.Scrubber} shows any of its ticks.
 *   <li>{@link dev.escapement.physics.replay.FlightRecorder} keeps the last seconds as such a log, for when something fails. {@code
 *       FlightWriter} encodes, {@code FlightRing} has the files, {@code KeptFiles} what was put aside.
 *   <li>{@link dev.escapement.physics.replay.StateHistory} keeps the last ticks in memory, so that the run can go back. {@code PastPart} has
 *       some of them, with {@code StateDelta}s; {@code PastTicks} leads back; {@code Rollback} lets late input change them.
 *   <li>{@link dev.escapement.physics.replay.Reconciler} lets a run stay ahead of an authority.
 *   <li>{@link dev.escapement.physics.replay.SyncTest} tests whether a simulation is deterministic.
 *   <li>A simulation provides a hash ({@link dev.escapement.physics.restore.StateHash}). With
 *       {@link dev.escapement.physics.restore.BodyStates} a comparison can name the first bodies that differ; with
 *       {@link dev.escapement.physics.restore.Restorable} states can be saved and restored.
 *   <li>The format of the file is in {@code LogHeader}, {@code LogFormat}, {@code TickEncoder} and {@code TickDecoder}.
 * </ul>
 *
 * <p>The service does not depend on this package: it calls each {@link dev.escapement.physics.TickHook}, and takes its ticks from a
 * {@link dev.escapement.physics.TickSource}. Start reading at {@link dev.escapement.physics.replay.Recording}.
 */
@NullMarked
package dev.escapement.physics.replay;

import org.jspecify.annotations.NullMarked;
