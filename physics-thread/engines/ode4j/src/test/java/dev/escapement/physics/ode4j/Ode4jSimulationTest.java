package dev.escapement.physics.ode4j;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.BoxPileContract;

class Ode4jSimulationTest extends BoxPileContract<Ode4jSimulation> {

    @Override
    protected Ode4jSimulation create(BoxPile pile) {
        return new Ode4jSimulation(pile);
    }

    @Override
    protected double dampedShare() {
        return 0;
    }
}
