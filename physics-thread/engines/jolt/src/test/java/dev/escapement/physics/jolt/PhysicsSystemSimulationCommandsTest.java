package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldCommandsContract;

class PhysicsSystemSimulationCommandsTest extends ExistingWorldCommandsContract<PhysicsSystem, Body>
        implements JoltExistingWorlds {}
