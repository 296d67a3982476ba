/**
 * What all logs say: of which run they are, why they ended, and where they are damaged.
 *
 * <ul>
 *   <li>{@link dev.escapement.physics.replay.log}: recording a run, replaying it, showing any of its ticks.
 *   <li>{@link dev.escapement.physics.replay.flight}: the last seconds as such a log, for when something fails.
 *   <li>{@link dev.escapement.physics.replay.history}: the last ticks in memory, so that a run can go back.
 *   <li>{@code format}, not exported: the bytes of all three; {@code store}, not exported: the ticks in memory.
 * </ul>
 *
 * <p>A simulation provides a hash ({@link dev.escapement.physics.restore.StateHash}). With
 * {@link dev.escapement.physics.restore.Restorable} states can be saved and restored, and the first value that differs is named.
 *
 * <p>The service does not depend on these packages: it calls each {@link dev.escapement.physics.spi.TickHook}, and takes its ticks from a
 * {@link dev.escapement.physics.spi.TickSource}. Each package uses only the ones below it: {@code history}; {@code flight}, {@code log} and
 * {@code store}; {@code format}; this one. Start reading at {@link dev.escapement.physics.replay.log.Recording}.
 */
@NullMarked
package dev.escapement.physics.replay;

import org.jspecify.annotations.NullMarked;
