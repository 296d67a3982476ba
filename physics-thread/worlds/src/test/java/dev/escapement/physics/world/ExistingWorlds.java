package dev.escapement.physics.world;

import java.util.Set;

/** Creates the worlds and simulations of an engine's tests, once for all of its contracts. */
public interface ExistingWorlds<W, B> {

    /** Creates a new world with a floor and nothing else. */
    GameWorld<W, B> createGame();

    WorldSimulation<W, B> wrap(GameWorld<W, B> game);

    /** Returns everything that the engine and its simulation can do. */
    Set<Ability> abilities();

    /** Returns whether a closing speed includes changes by commands of the same tick; if not, it is NaN in the first tick of a body. */
    default boolean closingSpeedSeesCommands() {
        return true;
    }
}
