package dev.escapement.physics.box2d;

import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.World;
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

class Box2dContractsTest {

    interface Worlds extends ExistingWorlds<World, Body> {

        @Override
        default GameWorld<World, Body> createGame() {
            return new Box2dGame();
        }

        @Override
        default WorldSimulation<World, Body> wrap(GameWorld<World, Body> game) {
            return new Box2dWorldSimulation(game.world(), Box2dGame::stepBy);
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("box2d");
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<World, Body> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<World, Body> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<World, Body> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<World, Body> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<World, Body> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<World, Body> implements Worlds {

        @Override
        public GameWorld<World, Body> createGame() {
            return new Box2dQueriedGame();
        }
    }
}
