package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.Ability;
import dev.escapement.physics.world.ExistingWorldCallsContract;
import dev.escapement.physics.world.ExistingWorldContactsContract;
import dev.escapement.physics.world.ExistingWorldContract;
import dev.escapement.physics.world.ExistingWorldFarContract;
import dev.escapement.physics.world.ExistingWorldFramesContract;
import dev.escapement.physics.world.ExistingWorldQueriesContract;
import dev.escapement.physics.world.ExistingWorldSequencesContract;
import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DWorld;

class Ode4jContractsTest {

    interface Worlds extends ExistingWorlds<DWorld, DBody> {

        @Override
        default GameWorld<DWorld, DBody> createGame() {
            return new Ode4jQueriedGame();
        }

        @Override
        default WorldSimulation<DWorld, DBody> wrap(GameWorld<DWorld, DBody> game) {
            Ode4jGame ode = (Ode4jGame) game;
            Ode4jWorldSimulation simulation =
                    new Ode4jWorldSimulation(ode.world(), ode.contacts(), ode::joinContacts, DWorld::quickStep);
            simulation.querySpaces(ode.space());
            return simulation;
        }

        @Override
        default Set<Ability> abilities() {
            return Ability.ofEngine("ode4j");
        }
    }

    @Nested
    class Bodies extends ExistingWorldContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Calls extends ExistingWorldCallsContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Contacts extends ExistingWorldContactsContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Far extends ExistingWorldFarContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Frames extends ExistingWorldFramesContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Sequences extends ExistingWorldSequencesContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Tools extends ExistingWorldToolsContract<DWorld, DBody> implements Worlds {}

    @Nested
    class Queries extends ExistingWorldQueriesContract<DWorld, DBody> implements Worlds {}
}
