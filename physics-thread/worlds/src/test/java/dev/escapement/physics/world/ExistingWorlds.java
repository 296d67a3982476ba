package dev.escapement.physics.world;

import org.jspecify.annotations.NullMarked;

/**
 * How the tests of an engine make a world and what ticks it. Each engine says so once, for all of its contracts.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public interface ExistingWorlds<W, B> {

    /** A new world with a floor and nothing else. */
    GameWorld<W, B> createGame();

    /** The simulation that is tested, around a world. */
    WorldSimulation<W, B> wrap(GameWorld<W, B> game);

    /** Whether the engine tells the impulse of a contact in the tick in which it begins. */
    default boolean tellsImpulse() {
        return true;
    }

    /** Whether the engine tells the impulse of a contact that lasts. */
    default boolean tellsLastingImpulse() {
        return true;
    }

    /** Whether the engine tells parts of one body apart that touch with the same normal. */
    default boolean tellsPartsApart() {
        return true;
    }

    /** Whether a closing speed has what a command changed in the same tick; if not, it is NaN in the first tick of a body. */
    default boolean closingSpeedSeesCommands() {
        return true;
    }
}
