package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.world.Ability;
import dev.escapement.physics.world.ExistingWorldCallsContract;
import dev.escapement.physics.world.ExistingWorldContactsContract;
import dev.escapement.physics.world.ExistingWorldContract;
import dev.escapement.physics.world.ExistingWorldFramesContract;
import dev.escapement.physics.world.ExistingWorldOwnershipContract;
import dev.escapement.physics.world.ExistingWorldQueriesContract;
import dev.escapement.physics.world.ExistingWorldSequencesContract;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import java.util.Set;
import org.junit.jupiter.api.Nested;

class JoltContractsTest {

    interface Worlds extends ExistingWorlds<PhysicsSystem, Body> {

        @Override
        default GameWorld<PhysicsSystem, Body> createGame() {
            return new JoltQueriedGame();
        }

        @Override
        default WorldSimulation<PhysicsSystem, Body> wrap(GameWorld<PhysicsSystem, Body> game) {
            return ((JoltGameWorld) game).simulate();
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("jolt");
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Ownership extends ExistingWorldOwnershipContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<PhysicsSystem, Body> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<PhysicsSystem, Body> implements Worlds {}
}
