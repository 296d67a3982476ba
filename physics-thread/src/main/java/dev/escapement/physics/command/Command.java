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

    /**
     * A {@link Command} that creates the body whose id was reserved for it.
     *
     * <pre>{@code
     * Spawned<Boolean> crate = physics.spawn((tick, id) -> world.add(id, shape));
     * physics.command(tick -> world.push(crate.id(), 0, 5, 0));   // runs after it, and knows the body already
     * }</pre>
     *
     * In the capture of the next tick or of a later one, the simulation calls {@link dev.escapement.state.capture.PoseWriter#spawn(long,
     * long) poses.spawn(id, userData)}. If the body will not exist after all, the simulation releases the id with {@code
     * poses.despawn(id)}; until then the id stays reserved.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    interface Spawn<T extends @Nullable Object> {

        /**
         * Creates the body in the simulation's world, on the physics thread.
         *
         * @param tick the tick that runs next
         * @param id   the body's {@link dev.escapement.state.snapshot.BodyId}
         * @return the result that the future is completed with
         * @throws Exception completes the future exceptionally; the service releases the id, so leave no body behind that has it
         */
        T run(long tick, long id) throws Exception;
    }
}
