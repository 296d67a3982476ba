package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldOwnershipContract;

class PhysicsSystemSimulationOwnershipTest extends ExistingWorldOwnershipContract<PhysicsSystem, Body>
        implements JoltExistingWorlds {}
