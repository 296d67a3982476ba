package dev.escapement.physics.command;

/**
 * A {@link Command} that makes the body whose id was reserved for it.
 *
 * <pre>{@code
 * Spawned<Boolean> crate = physics.spawn((tick, id) -> world.add(id, shape));
 * physics.command(tick -> world.push(crate.id(), 0, 5, 0));   // runs after it, and knows the body already
 * }</pre>
 *
 * The simulation says that the body exists in the capture of that tick or of a later one, with
 * {@link dev.escapement.state.capture.PoseWriter#spawn(long, long) poses.spawn(id, userData)}. If the body will not exist after
 * all, it gives the id back with {@code poses.despawn(id)}; until then the id stays reserved.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface SpawnCommand<T> {

    /**
     * Makes the body in the simulation's world, on the physics thread.
     *
     * @param tick the tick that runs next
     * @param id   the body's {@link dev.escapement.state.snapshot.BodyId}
     * @return what the future is completed with
     * @throws Exception what the future is completed with instead; the id is given back, so leave nothing behind that has it
     */
    T run(long tick, long id) throws Exception;
}
