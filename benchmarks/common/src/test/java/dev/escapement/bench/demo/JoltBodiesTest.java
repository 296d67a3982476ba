package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.TickDriver;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JoltBodiesTest {

    private static final int BODIES = 20;

    @Test
    void aRestoredMachineRepeatsTheRun() {
        SyncTest test = SyncTest.of((JoltBodies) Engine.JOLT.simulation(BODIES));
        try (SeededWorld pushed = new SeededWorld(test, 20, builder -> builder)) {
            pushed.run(1, 300); // long enough for the wheel, which turns in ticks 110 to 130
        }
        assertThat(test.divergence()).isEmpty();
    }

    @Test
    void aStateFromBeforeStressRepeatsTheRun() throws Exception {
        try (JoltBodies world = (JoltBodies) Engine.JOLT.pile(BODIES)) {
            // A pile and not the machine, whose drum's angle is computed from the tick number.
            TickDriver driver = new TickDriver(world, TickRate.hertz(100));
            SplittableRandom random = new SplittableRandom(3);
            world.stress(random);
            driver.step(20);
            StateBuffer before = new StateBuffer();
            world.save(before);
            driver.step(30);
            long hash = world.hash();
            for (int i = 0; i < 50; i++) {
                world.stress(random);
            }
            driver.step(1);
            driver.capture();
            before.rewind();
            world.restore(before);
            driver.step(30);
            driver.capture();
            assertThat(world.hash()).isEqualTo(hash);
        }
    }
}
