package dev.escapement.physics.dyn4j;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.ContactContract;

class Dyn4jContactsTest extends ContactContract<Dyn4jSimulation> {

    @Override
    protected Dyn4jSimulation create(BoxPile pile) {
        return new Dyn4jSimulation(pile);
    }
}
