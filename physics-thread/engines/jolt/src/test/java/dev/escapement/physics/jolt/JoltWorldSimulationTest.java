package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldContract;

class JoltWorldSimulationTest extends ExistingWorldContract<PhysicsSystem, Body> implements JoltExistingWorlds {}
