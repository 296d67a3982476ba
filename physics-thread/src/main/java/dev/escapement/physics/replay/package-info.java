/**
 * Runs written down, so that they can be run again: every tick's input and the hash of the state it led to.
 *
 * <p>{@link dev.escapement.physics.replay.Recording} writes, {@link dev.escapement.physics.replay.InputLog} reads,
 * {@link dev.escapement.physics.replay.ReplayCheck} compares. How a file looks is said, and read and written, in
 * {@code LogHeader}, {@code LogFormat}, {@code TickEncoder} and {@code TickDecoder}. Start reading at
 * {@link dev.escapement.physics.replay.Recording}.
 */
@NullMarked
package dev.escapement.physics.replay;

import org.jspecify.annotations.NullMarked;
