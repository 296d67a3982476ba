/**
 * Recording and replay of runs: every tick's input, and the hash of the state after it.
 *
 * <p>{@link dev.escapement.physics.replay.log.Recording} writes a log, {@link dev.escapement.physics.replay.log.InputLog} reads it and lets
 * a service replay it, {@link dev.escapement.physics.replay.log.Scrubber} shows any of its ticks. {@code LogTicks} provides the ticks.
 */
@NullMarked
package dev.escapement.physics.replay.log;

import org.jspecify.annotations.NullMarked;
