package dev.escapement.physics.command;

/**
 * The result of a {@link Command}.
 *
 * @param tick  for a command, the tick before which it ran; for a query, the tick after which it ran; by the count of the simulation
 * @param value what it returned
 * @param <T>   its type
 * @see dev.escapement.physics.TickingWorld#query
 */
public record Answer<T>(long tick, T value) {}
