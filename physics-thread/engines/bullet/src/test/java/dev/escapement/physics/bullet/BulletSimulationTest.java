package dev.escapement.physics.bullet;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.BoxPileContract;
import org.junit.jupiter.api.Test;

class BulletSimulationTest extends BoxPileContract<BulletSimulation> {

    @Override
    protected BulletSimulation create(BoxPile pile) {
        return new BulletSimulation(pile);
    }

    @Override
    protected double dampedShare() {
        return 0;
    }

    @Test
    void worldsComeAndGo() {
        for (int round = 0; round < 20; round++) {
            create(new BoxPile(10)).close();
        }
    }
}
