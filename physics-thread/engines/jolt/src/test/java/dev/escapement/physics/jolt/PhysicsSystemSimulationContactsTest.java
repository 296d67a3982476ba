package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.ExistingWorldContactsContract;

class PhysicsSystemSimulationContactsTest extends ExistingWorldContactsContract<PhysicsSystem, Body>
        implements JoltExistingWorlds {}
