package dev.escapement.physics.dyn4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.BoxPileContract;
import org.junit.jupiter.api.Test;

class Dyn4jSimulationTest extends BoxPileContract<Dyn4jSimulation> {

    @Override
    protected Dyn4jSimulation create(BoxPile pile) {
        return new Dyn4jSimulation(pile);
    }

    @Override
    protected double dampedShare() {
        return 0;
    }

    @Test
    void shouldSayTheVersionOfTheBuild() {
        assertThat(Dyn4jSimulation.version()).isEqualTo(System.getProperty("dyn4j.version"));
    }
}
