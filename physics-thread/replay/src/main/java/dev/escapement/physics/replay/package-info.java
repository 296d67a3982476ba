/**
 * Common types of all logs: the description of a run, failures of a recording, damage.
 *
 * <ul>
 *   <li>{@link dev.escapement.physics.replay.log}: recording a run, replaying it, showing any of its ticks.
 *   <li>{@link dev.escapement.physics.replay.flight}: the last seconds as a log, archived when something fails.
 *   <li>{@link dev.escapement.physics.replay.history}: the last ticks in memory, so that a run can go back.
 *   <li>{@code format}, not exported: the bytes of all three; {@code store}, not exported: the ticks in memory.
 * </ul>
 *
 * <p>A simulation provides a hash ({@link dev.escapement.physics.restore.StateHash}). With {@link
 * dev.escapement.physics.restore.Restorable} states can be saved and restored. A log has only the hash of a tick, so a replay names the
 * tick that differs, and not the value. A difference names the value where both states are in memory: in the state with which a log starts,
 * in {@code SyncTest}, and in {@code Reconciler}.
 *
 * <p><b>Three counts of ticks.</b> A number is a simulation tick, unless its name says otherwise.
 * <ul>
 *   <li>The <i>simulation tick</i> goes back with the state: 1 2 3, back to 1, 2 3.
 *   <li>The <i>published tick</i> is what readers count; it never goes back. For the same run: 1 2 3 4 5.
 *   <li>The <i>position</i> in a log counts its ticks, from the number of the first: 1 2 3 4 5, too. It differs from the published tick
 *       where a run published a state without a step, and in a log that starts in the middle of a run.
 * </ul>
 *
 * <p>The service does not depend on these packages: it calls each {@link dev.escapement.physics.spi.TickHook}, and takes its ticks from a
 * {@link dev.escapement.physics.spi.TickSource}. Each package uses only the ones below it: {@code history}; {@code flight}, {@code log} and
 * {@code store}; {@code format}; this one.
 *
 * <p><b>Read in this order.</b> {@link dev.escapement.physics.spi.TickHook} and {@link dev.escapement.physics.spi.TickAccess}: all other
 * types depend on these two. A log: {@code LogFormat} has the grammar and a drawn example, then {@code LoggedTick}, {@code TickEncoder},
 * {@link dev.escapement.physics.replay.log.Recording}, {@code RecordingThread}, {@code TickDecoder}, {@code LogReader}, {@link
 * dev.escapement.physics.replay.log.InputLog}, {@link dev.escapement.physics.spi.TickSource}, {@code LogTicks}, {@code LogRunner}. The last
 * seconds: the package {@link dev.escapement.physics.replay.flight} has its own order. The past: {@link
 * dev.escapement.physics.replay.history.StateHistory}, {@code HistoryStore}, {@code HistoryPart}, {@code Past}, {@code RerunHistory},
 * {@code ContactHistory}, {@code Rollback}, {@link dev.escapement.physics.replay.history.Reconciler}.
 */
@NullMarked
package dev.escapement.physics.replay;

import org.jspecify.annotations.NullMarked;
