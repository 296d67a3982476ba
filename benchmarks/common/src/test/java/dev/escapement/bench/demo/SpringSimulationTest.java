package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

class SpringSimulationTest {

    private static final long TICK_NANOS = 10_000_000;

    /** Fails if a machine or compiler computes other bits, or if a change of the springs would make all their logs useless. */
    @Test
    void shouldReachTheGoldenHash() {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(64);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        InputKind[] kinds = {
            InputKind.APPLICATION, InputKind.KEY_DOWN, InputKind.POINTER_DOWN, InputKind.KEY_UP, InputKind.POINTER_MOVED
        };
        int[] codes = {PushControls.PUSH_ONE, 87, 0, 87, 0};
        for (int tick = 0; tick < 1000; tick++) {
            if (tick % 7 == 0) {
                int which = tick / 7 % kinds.length;
                driver.input().offer(clock.nanoTime() + 1, kinds[which], codes[which], tick % 13, tick % 5);
            }
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
        assertThat(Long.toHexString(simulation.hash())).isEqualTo("684d5f8da2a773d2");
    }

    /** Steps twice from a saved state while a body is dragged, to check that the state contains everything that a tick depends on. */
    @Test
    void shouldResumeFromASavedState() {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(20);
        SyncTest test = SyncTest.of(simulation);
        InlineDriver driver = PhysicsService.builder(test).inline(clock);
        DragInput.hold(driver.input(), 0, BodyId.of(7, 1));
        DragInput.to(driver.input(), 0, 9, 800, 7);
        clock.advance(100 * TICK_NANOS);
        driver.runDueTicks(Integer.MAX_VALUE);
        assertThat(test.divergence()).isEmpty();
        assertThat(simulation.position(7).y()).as("dragged").isGreaterThan(3.8);
        assertThat(simulation.position(8).y()).as("free").isLessThan(3.8);
    }
}
