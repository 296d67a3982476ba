package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import org.dyn4j.dynamics.Body;
import org.dyn4j.world.World;
import org.jspecify.annotations.NullMarked;

@NullMarked
interface Dyn4jExistingWorlds extends ExistingWorlds<World<Body>, Body> {

    @Override
    default GameWorld<World<Body>, Body> createGame() {
        return new Dyn4jGame();
    }

    @Override
    default WorldSimulation<World<Body>, Body> wrap(GameWorld<World<Body>, Body> game) {
        return new Dyn4jWorldSimulation<>(game.world());
    }
}
