package dev.escapement.physics.command;

import org.jspecify.annotations.Nullable;

/**
 * A command that returns nothing: {@code physics.execute(tick -> world.explodeAt(x, y, z))}.
 *
 * @see dev.escapement.physics.TickingWorld#execute
 */
@FunctionalInterface
public interface Action extends Command<@Nullable Void> {

    /**
     * Runs as {@link #run} does.
     *
     * @param tick as there
     * @throws Exception as there
     */
    void act(long tick) throws Exception;

    @Override
    @SuppressWarnings("NullAway") // it does not know what a type argument says
    default @Nullable Void run(long tick) throws Exception {
        act(tick);
        return null;
    }
}
