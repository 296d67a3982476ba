package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldThreadsContract;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;

class PhysicsSystemSimulationThreadsTest extends ExistingWorldThreadsContract<PhysicsSystem, Body> {

    @Override
    protected GameWorld<PhysicsSystem, Body> createGame() {
        return new JoltGameWorld();
    }

    @Override
    protected WorldSimulation<PhysicsSystem, Body> wrap(GameWorld<PhysicsSystem, Body> game) {
        return ((JoltGameWorld) game).simulate();
    }
}
