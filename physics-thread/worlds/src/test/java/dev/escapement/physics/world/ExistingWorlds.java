package dev.escapement.physics.world;

/** Creates the worlds and simulations of an engine's tests, once for all of its contracts. */
public interface ExistingWorlds<W, B> {

    /** Creates a new world with a floor and nothing else. */
    GameWorld<W, B> createGame();

    WorldSimulation<W, B> wrap(GameWorld<W, B> game);

    /** Returns whether the engine reports the impulse of a contact in the tick in which it begins. */
    default boolean tellsImpulse() {
        return true;
    }

    /** Returns whether the engine reports the impulse of a contact that lasts. */
    default boolean tellsLastingImpulse() {
        return true;
    }

    /** Returns whether a closing speed includes changes by commands of the same tick; if not, it is NaN in the first tick of a body. */
    default boolean closingSpeedSeesCommands() {
        return true;
    }
}
