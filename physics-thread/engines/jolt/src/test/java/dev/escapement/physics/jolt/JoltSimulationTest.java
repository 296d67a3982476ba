package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.BoxPileContract;
import org.junit.jupiter.api.Test;

class JoltSimulationTest extends BoxPileContract<JoltSimulation> {

    @Override
    protected JoltSimulation create(BoxPile pile) {
        return new JoltSimulation(pile);
    }

    /** Jolt damps velocities by 5% per second. */
    @Override
    protected double dampedShare() {
        return 0.01;
    }

    @Test
    void freedNativesAreNeverTouched() {
        JoltSimulation simulation = create(new BoxPile(3));
        simulation.close();
        assertThatThrownBy(simulation::hash).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.x(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.z(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.push(0, 1, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void worldsComeAndGo() {
        for (int round = 0; round < 20; round++) {
            create(new BoxPile(10)).close();
        }
    }
}
