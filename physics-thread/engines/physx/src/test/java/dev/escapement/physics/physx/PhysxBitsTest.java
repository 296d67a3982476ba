package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import physx.physics.PxRigidDynamic;

/** What of PhysX repeats to the bit. */
class PhysxBitsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<PxRigidDynamic> boxes = new ArrayList<>();

    @Test
    void theSameCommandsGiveTheSameBitsWithAnyNumberOfThreads() {
        long hash = hashOfAPile(0, 0);
        assertThat(hashOfAPile(0, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(1, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(3, 0)).isEqualTo(hash);
        assertThat(hashOfAPile(0, 0.001)).as("pushed by a millimetre a second").isNotEqualTo(hash);
    }

    private long hashOfAPile(int threads, double push) {
        PhysxGame game = new PhysxGame(threads);
        PhysxWorldSimulation simulation = pile(game, 60);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        game.setVelocity(boxes.get(41), push, 0);
        tick(driver, 300);
        long hash = simulation.hash();
        driver.close();
        game.close();
        return hash;
    }

    private PhysxWorldSimulation pile(PhysxGame game, int count) {
        boxes.clear();
        PhysxWorldSimulation simulation = new PhysxWorldSimulation(game.world());
        for (int box = 0; box < count; box++) {
            int layer = box / 6;
            PxRigidDynamic added = game.addBox(1.1 * (box % 6) + 0.07 * layer, 1 + 1.2 * layer);
            boxes.add(added);
            simulation.attach(added, box);
        }
        return simulation;
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }
}
