package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;

interface JoltExistingWorlds extends ExistingWorlds<PhysicsSystem, Body> {

    @Override
    default GameWorld<PhysicsSystem, Body> createGame() {
        return new JoltGameWorld();
    }

    @Override
    default WorldSimulation<PhysicsSystem, Body> wrap(GameWorld<PhysicsSystem, Body> game) {
        return ((JoltGameWorld) game).simulate();
    }
}
