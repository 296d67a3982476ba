package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;

interface BulletExistingWorlds extends ExistingWorlds<PhysicsSpace, PhysicsRigidBody> {

    @Override
    default GameWorld<PhysicsSpace, PhysicsRigidBody> createGame() {
        return new BulletGameWorld();
    }

    @Override
    default WorldSimulation<PhysicsSpace, PhysicsRigidBody> wrap(GameWorld<PhysicsSpace, PhysicsRigidBody> game) {
        return new BulletWorldSimulation(game.world());
    }
}
