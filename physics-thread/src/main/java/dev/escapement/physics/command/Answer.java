package dev.escapement.physics.command;

import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link Command}.
 *
 * <p>See {@code TickingWorld.query}.
 *
 * @param tick  for a command, the tick before which it ran; for a query, the tick after which it ran. A simulation tick
 * @param value what the command or query returned, which may be null
 * @param <T>   its type
 */
public record Answer<T extends @Nullable Object>(long tick, T value) {}
