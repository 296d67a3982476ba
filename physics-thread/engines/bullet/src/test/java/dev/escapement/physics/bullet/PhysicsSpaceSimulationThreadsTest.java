package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import dev.escapement.physics.world.ExistingWorldThreadsContract;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;

class PhysicsSpaceSimulationThreadsTest extends ExistingWorldThreadsContract<PhysicsSpace, PhysicsRigidBody> {

    @Override
    protected GameWorld<PhysicsSpace, PhysicsRigidBody> createGame() {
        return new BulletGameWorld();
    }

    @Override
    protected WorldSimulation<PhysicsSpace, PhysicsRigidBody> wrap(GameWorld<PhysicsSpace, PhysicsRigidBody> game) {
        return new BulletWorldSimulation(game.world());
    }
}
