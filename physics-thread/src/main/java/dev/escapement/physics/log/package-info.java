/**
 * Runs written down, so that they can be run again: every tick's input and the hash of the state it led to.
 *
 * <p>{@link dev.escapement.physics.log.Recording} writes, {@link dev.escapement.physics.log.InputLog} reads,
 * {@link dev.escapement.physics.log.ReplayCheck} compares. How a file looks is said, and read and written, in
 * {@code LogHeader}, {@code LogFormat}, {@code TickEncoder} and {@code TickDecoder}. Start reading at
 * {@link dev.escapement.physics.log.Recording}.
 */
@NullMarked
package dev.escapement.physics.log;

import org.jspecify.annotations.NullMarked;
