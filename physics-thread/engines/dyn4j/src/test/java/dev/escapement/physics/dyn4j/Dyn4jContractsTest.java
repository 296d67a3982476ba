package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.Ability;
import dev.escapement.physics.world.ExistingWorldCallsContract;
import dev.escapement.physics.world.ExistingWorldContactsContract;
import dev.escapement.physics.world.ExistingWorldContract;
import dev.escapement.physics.world.ExistingWorldFarContract;
import dev.escapement.physics.world.ExistingWorldFramesContract;
import dev.escapement.physics.world.ExistingWorldOwnershipContract;
import dev.escapement.physics.world.ExistingWorldQueriesContract;
import dev.escapement.physics.world.ExistingWorldSequencesContract;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import java.util.Set;
import org.dyn4j.dynamics.Body;
import org.dyn4j.world.World;
import org.junit.jupiter.api.Nested;

class Dyn4jContractsTest {

    interface Worlds extends ExistingWorlds<World<Body>, Body> {

        @Override
        default GameWorld<World<Body>, Body> createGame() {
            return new Dyn4jGame();
        }

        @Override
        default WorldSimulation<World<Body>, Body> wrap(GameWorld<World<Body>, Body> game) {
            return new Dyn4jWorldSimulation<>(game.world());
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("dyn4j");
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Far extends ExistingWorldFarContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Ownership extends ExistingWorldOwnershipContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<World<Body>, Body> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<World<Body>, Body> implements Worlds {

        @Override
        public GameWorld<World<Body>, Body> createGame() {
            return new Dyn4jQueriedGame();
        }
    }
}
