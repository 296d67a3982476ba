package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

    @Test
    void shouldFollowTheExactSolution() {
        double w = 12;
        double turn = 0.7;
        double[] state = {1, 0, -0.5, 0, 3, 1, 0, 1};
        for (int tick = 1; tick <= 1000; tick++) {
            SpringSimulation.stepBody(state, 0, SpringSimulation.solution(w, turn, 0.01));
            assertThat(state[0]).isCloseTo(exactPosition(w, 1, 0, tick * 0.01), within(1e-12));
            assertThat(state[1]).isCloseTo(exactPosition(w, 0, 3, tick * 0.01), within(1e-12));
            assertThat(state[2]).isCloseTo(exactPosition(w, -0.5, 1, tick * 0.01), within(1e-12));
            assertThat(state[6]).isCloseTo(Math.sin(turn * tick * 0.01), within(1e-12));
            assertThat(state[7]).isCloseTo(Math.cos(turn * tick * 0.01), within(1e-12));
        }
    }

    /** On every machine, by every compiler: a change of it breaks every log of springs. */
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

    /** The saved state contains everything that a tick depends on: each is stepped twice from it, while a body is dragged. */
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

    /**
     * e^(-g t) (x0 cos d t + (v0 + g x0) / d sin d t), with g = 0.02 w and d^2 = w^2 - g^2 (any textbook on the underdamped harmonic
     * oscillator).
     */
    private static double exactPosition(double w, double x0, double v0, double seconds) {
        double g = 0.02 * w;
        double d = Math.sqrt(w * w - g * g);
        return Math.exp(-g * seconds) * (x0 * Math.cos(d * seconds) + (v0 + g * x0) / d * Math.sin(d * seconds));
    }
}
