package dev.escapement.physics.physx;

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
import physx.physics.PxRigidActor;
import physx.physics.PxScene;

class PhysxContractsTest {

    interface Worlds extends ExistingWorlds<PxScene, PxRigidActor> {

        @Override
        default GameWorld<PxScene, PxRigidActor> createGame() {
            return new PhysxGame(0);
        }

        @Override
        default WorldSimulation<PxScene, PxRigidActor> wrap(GameWorld<PxScene, PxRigidActor> game) {
            return new PhysxWorldSimulation(game.world());
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("physx");
        }

        @Override
        default boolean closingSpeedSeesCommands() {
            return false;
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<PxScene, PxRigidActor> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<PxScene, PxRigidActor> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<PxScene, PxRigidActor> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<PxScene, PxRigidActor> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<PxScene, PxRigidActor> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<PxScene, PxRigidActor> implements Worlds {

        @Override
        public GameWorld<PxScene, PxRigidActor> createGame() {
            return new PhysxQueriedGame();
        }
    }
}
