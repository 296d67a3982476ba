package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.TickDriver;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;
import physx.physics.PxRigidDynamic;

/** Tests which results of PhysX repeat to the bit. */
class PhysxBitsTest {

    @Test
    void bitsDoNotDependOnTheNumberOfThreads() throws Exception {
        long hash = hashOfAPile(0, 0);
        assertThat(hashOfAPile(3, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(0, 0.001)).as("pushed by a millimetre a second").isNotEqualTo(hash);
    }

    private static long hashOfAPile(int threads, double push) throws Exception {
        PhysxGame game = new PhysxGame(threads);
        PhysxWorldSimulation simulation = new PhysxWorldSimulation(game.world());
        for (int box = 0; box < 60; box++) {
            int layer = box / 6;
            PxRigidDynamic added = game.addBox(1.1 * (box % 6) + 0.07 * layer, 1 + 1.2 * layer);
            simulation.attach(added, box);
            if (box == 41) {
                game.setVelocity(added, push, 0);
            }
        }
        new TickDriver(simulation, TickRate.hertz(100)).step(300);
        long hash = simulation.hash();
        simulation.close();
        game.close();
        return hash;
    }
}
