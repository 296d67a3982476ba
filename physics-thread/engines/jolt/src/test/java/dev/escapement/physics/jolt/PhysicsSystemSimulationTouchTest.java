package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldTouchContract;

class PhysicsSystemSimulationTouchTest extends ExistingWorldTouchContract<PhysicsSystem, Body>
        implements JoltExistingWorlds {}
