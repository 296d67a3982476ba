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
     * @param tick as for {@link #run}
     * @throws Exception as {@link #run} does
     */
    void act(long tick) throws Exception;

    @Override
    @SuppressWarnings("NullAway") // NullAway does not read the nullness of type arguments
    default @Nullable Void run(long tick) throws Exception {
        act(tick);
        return null;
    }
}
