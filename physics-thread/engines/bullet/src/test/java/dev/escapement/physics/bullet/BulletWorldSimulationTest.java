package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import dev.escapement.physics.world.ExistingWorldContract;

class BulletWorldSimulationTest extends ExistingWorldContract<PhysicsSpace, PhysicsRigidBody>
        implements BulletExistingWorlds {}
