package dev.escapement.physics.bullet;

import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import dev.escapement.physics.world.Ability;
import dev.escapement.physics.world.ExistingWorldCallsContract;
import dev.escapement.physics.world.ExistingWorldContactsContract;
import dev.escapement.physics.world.ExistingWorldContract;
import dev.escapement.physics.world.ExistingWorldFramesContract;
import dev.escapement.physics.world.ExistingWorldQueriesContract;
import dev.escapement.physics.world.ExistingWorldSequencesContract;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import java.util.Set;
import org.junit.jupiter.api.Nested;

class BulletContractsTest {

    interface Worlds extends ExistingWorlds<PhysicsSpace, PhysicsRigidBody> {

        @Override
        default GameWorld<PhysicsSpace, PhysicsRigidBody> createGame() {
            return new BulletQueriedGame();
        }

        @Override
        default WorldSimulation<PhysicsSpace, PhysicsRigidBody> wrap(GameWorld<PhysicsSpace, PhysicsRigidBody> game) {
            return new BulletWorldSimulation(game.world());
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("bullet");
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<PhysicsSpace, PhysicsRigidBody> implements Worlds {}
}
