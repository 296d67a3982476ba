package dev.escapement.physics.ode4j;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.ContactContract;

class Ode4jContactsTest extends ContactContract<Ode4jSimulation> {

    @Override
    protected Ode4jSimulation create(BoxPile pile) {
        return new Ode4jSimulation(pile);
    }
}
