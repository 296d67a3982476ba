package dev.escapement.physics.command;

import org.jspecify.annotations.Nullable;

/**
 * A command or query, which runs on the physics thread.
 *
 * <pre>{@code
 * CompletableFuture<Answer<Hit>> hit = physics.query(tick -> world.rayCast(from, to));
 * }</pre>
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface Command<T extends @Nullable Object> {

    /**
     * Runs on the physics thread, so that it may touch the simulation's world.
     *
     * @param tick for a command, the tick that runs next; for a query, the one that ran last
     * @return the result that the future is completed with
     * @throws Exception completes the future exceptionally; the service keeps ticking
     */
    T run(long tick) throws Exception;
}
