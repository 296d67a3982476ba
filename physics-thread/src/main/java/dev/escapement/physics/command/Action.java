package dev.escapement.physics.command;

import org.jspecify.annotations.Nullable;

/**
 * A command that returns nothing: {@code physics.execute(tick -> world.explodeAt(x, y, z))}.
 *
 * <p>See {@code TickingWorld.execute}.
 */
@FunctionalInterface
public interface Action extends Command<@Nullable Void> {

    /**
     * Runs on the physics thread, so that it may touch the simulation's world.
     *
     * @param tick the tick that runs next
     * @throws Exception completes the future exceptionally; the service keeps ticking
     */
    void act(long tick) throws Exception;

    @Override
    @SuppressWarnings("NullAway") // NullAway does not read the nullness of type arguments
    default @Nullable Void run(long tick) throws Exception {
        act(tick);
        return null;
    }
}
