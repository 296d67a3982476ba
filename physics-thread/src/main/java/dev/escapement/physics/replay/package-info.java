/**
 * Recording of runs, so that they can be run again: every tick's input, and the hash of the state it led to.
 *
 * <ul>
 *   <li>{@link dev.escapement.physics.replay.Recording} writes a log, {@link dev.escapement.physics.replay.InputLog} reads it and lets a
 *       service run it again, {@link dev.escapement.physics.replay.Scrubber} shows any of its ticks.
 *   <li>{@link dev.escapement.physics.replay.SyncTest} finds out whether a simulation is repeatable.
 *   <li>A simulation can help: with a hash ({@link dev.escapement.physics.replay.StateHash}), with
 *       {@link dev.escapement.physics.replay.BodyStates}, which name the first body that differs, and with
 *       {@link dev.escapement.physics.replay.Restorable}, which brings saved states back.
 *   <li>The format of the file is in {@code LogHeader}, {@code LogFormat}, {@code TickEncoder} and {@code TickDecoder}.
 * </ul>
 *
 * <p>The service knows none of this: {@link dev.escapement.physics.TickRecorder} and {@link dev.escapement.physics.RecordedRun} are what it
 * calls. Start reading at {@link dev.escapement.physics.replay.Recording}.
 */
@NullMarked
package dev.escapement.physics.replay;

import org.jspecify.annotations.NullMarked;
