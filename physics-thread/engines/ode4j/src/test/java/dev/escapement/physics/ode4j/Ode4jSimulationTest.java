package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.BoxPileContract;
import org.junit.jupiter.api.Test;

class Ode4jSimulationTest extends BoxPileContract<Ode4jSimulation> {

    @Override
    protected Ode4jSimulation create(BoxPile pile) {
        return new Ode4jSimulation(pile);
    }

    @Override
    protected double dampedShare() {
        return 0;
    }

    @Test
    void shouldSayTheVersionOfTheBuild() {
        assertThat(Ode4jSimulation.version()).isEqualTo(System.getProperty("ode4j.version"));
    }
}
