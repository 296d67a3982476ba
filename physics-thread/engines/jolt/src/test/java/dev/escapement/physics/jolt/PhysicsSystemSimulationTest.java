package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldContract;

class PhysicsSystemSimulationTest extends ExistingWorldContract<PhysicsSystem, Body> implements JoltExistingWorlds {}
