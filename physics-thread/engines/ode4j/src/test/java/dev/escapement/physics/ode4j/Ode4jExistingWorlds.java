package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.ExistingWorlds;
import dev.escapement.physics.world.GameWorld;
import dev.escapement.physics.world.WorldSimulation;
import org.jspecify.annotations.NullMarked;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DWorld;

@NullMarked
interface Ode4jExistingWorlds extends ExistingWorlds<DWorld, DBody> {

    @Override
    default GameWorld<DWorld, DBody> createGame() {
        return new Ode4jGame();
    }

    @Override
    default WorldSimulation<DWorld, DBody> wrap(GameWorld<DWorld, DBody> game) {
        Ode4jGame ode = (Ode4jGame) game;
        return new Ode4jWorldSimulation(ode.world(), ode.contacts(), ode::joinContacts, DWorld::quickStep);
    }
}
