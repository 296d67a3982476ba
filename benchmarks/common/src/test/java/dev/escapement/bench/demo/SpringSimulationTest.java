package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpringSimulationTest {

    private static final int KEY_A = 65;
    private static final int KEY_D = 68;
    private static final int KEY_S = 83;
    private static final int KEY_W = 87;
    private static final long TICK_NANOS = 10_000_000;

    /** Its phase error is (w dt)^5 / 120 a step: 2.3e-7 rad for this spring, over 1000 steps of up to a metre. */
    private static final double WHAT_RK4_LEAVES = 2.5e-4;

    @Test
    void shouldFollowTheExactSolution() {
        Spring spring = new Spring(2, 300, 1.5);
        double[] state = {1, 0, -0.5, 0, 3, 1};
        for (int tick = 1; tick <= 1000; tick++) {
            spring.step(state, 0, 0.01);
            assertThat(state[0]).isCloseTo(exactPosition(spring, 1, 0, tick * 0.01), within(WHAT_RK4_LEAVES));
            assertThat(state[1]).isCloseTo(exactPosition(spring, 0, 3, tick * 0.01), within(WHAT_RK4_LEAVES));
            assertThat(state[2]).isCloseTo(exactPosition(spring, -0.5, 1, tick * 0.01), within(WHAT_RK4_LEAVES));
        }
    }

    @Test
    void shouldBeOfFourthOrder() {
        double coarse = errorAfterOneSecond(0.005);
        double fine = errorAfterOneSecond(0.0025);
        assertThat(coarse / fine).isCloseTo(16, within(2.0));
    }

    @Test
    void shouldReachTheSameStateFromTheSameInput() {
        assertThat(hashAfter(500, 1)).isEqualTo(hashAfter(500, 1)).isNotEqualTo(hashAfter(500, 2));
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
        assertThat(simulation.inputsApplied()).isEqualTo(143);
        assertThat(Long.toHexString(simulation.hash())).isEqualTo("3ea0c4807e3febd8");
    }

    /** As if it had come up in the tick after, and replayed from a log too. */
    @Test
    void shouldStopPushingWhenAKeyComesUpWhilePaused(@TempDir Path folder) throws IOException {
        ManualClock clock = new ManualClock(0);
        SpringSimulation unpaused = new SpringSimulation(20);
        InlineDriver driver = PhysicsService.builder(unpaused).inline(clock);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
        run(driver, clock, 11);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, KEY_W, 0, 0);
        run(driver, clock, 10);

        SpringSimulation paused = new SpringSimulation(20);
        Path file = folder.resolve("run");
        TickRate rate = TickRate.hertz(100);
        try (Recording recording = Recording.create(file, new RunDescription("spring", "1", "20", 4, rate))) {
            driver = PhysicsService.builder(paused).record(recording).inline(clock);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
            run(driver, clock, 10);
            driver.pause();
            run(driver, clock, 3); // the first of them ticks
            driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, KEY_W, 0, 0);
            driver.runDueTicks();
            driver.resume();
            driver.runDueTicks();
            run(driver, clock, 10);
        }
        assertThat(paused.hash()).isEqualTo(unpaused.hash());

        SpringSimulation replayed = new SpringSimulation(20);
        driver = PhysicsService.builder(replayed).replay(InputLog.open(file)).inline(clock);
        run(driver, clock, 30);
        assertThat(driver.divergence()).isEmpty();
        assertThat(replayed.hash()).isEqualTo(paused.hash());
    }

    /** Another one that was built alike: nothing that a tick depends on is anywhere but in the saved state. */
    @Test
    void shouldGoOnInAnotherSimulationFromASavedState() {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(20);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        DragInput.hold(driver.input(), 0, BodyId.of(7, 1));
        DragInput.to(driver.input(), 0, 9, 8, 7);
        for (int key : new int[] {KEY_W, KEY_D, KEY_S, KEY_A}) {
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
            run(driver, clock, 30);
            StateBuffer saved = new StateBuffer();
            simulation.save(saved);
            saved.rewind();
            SpringSimulation other = new SpringSimulation(20);
            other.restore(saved);
            assertThat(other.hash()).isEqualTo(simulation.hash());
            assertThat(other.inputsApplied()).isEqualTo(simulation.inputsApplied());
            run(driver, clock, 30);
            InlineDriver otherDriver = PhysicsService.builder(other).inline(clock);
            otherDriver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0); // input is no part of the state
            run(otherDriver, clock, 30);
            assertThat(other.hash()).isEqualTo(simulation.hash());
            driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, key, 0, 0);
        }
    }

    @Test
    void shouldBeDragged() {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(10);
        SpringSimulation free = new SpringSimulation(10);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        InlineDriver freeDriver = PhysicsService.builder(free).inline(clock);
        DragInput.hold(driver.input(), 0, BodyId.of(10, 1)); // there is none
        run(driver, clock, 1);
        freeDriver.runDueTicks();
        assertThat(simulation.hash()).isEqualTo(free.hash());
        DragInput.hold(driver.input(), clock.nanoTime(), BodyId.of(3, 1));
        DragInput.to(driver.input(), clock.nanoTime(), 0, 300, 0);
        run(driver, clock, 300);
        freeDriver.runDueTicks();
        assertThat(simulation.position(3).y()).isGreaterThan(free.position(3).y() + 0.5);
        assertThat(simulation.position(4).y()).isEqualTo(free.position(4).y());
    }

    private static void run(InlineDriver driver, ManualClock clock, int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
    }

    @Test
    void shouldNameEachComponentOfABody() {
        SpringSimulation simulation = new SpringSimulation(3);
        long[] before = new long[simulation.stateComponents().size()];
        long[] after = new long[before.length];
        simulation.readState(2, before, 0);
        simulation.push(2, 1, 0, 0);
        simulation.readState(2, after, 0);
        for (int component = 0; component < before.length; component++) {
            boolean changed = before[component] != after[component];
            assertThat(changed)
                    .isEqualTo(simulation.stateComponents().get(component).equals("velocity x"));
        }
    }

    @Test
    void shouldApplyEveryInput() {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(10);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        long before = simulation.hash();
        driver.input().offer(5, InputKind.APPLICATION, PushControls.PUSH_ONE, 3, 2);
        driver.input().offer(6, InputKind.KEY_DOWN, 32, 0, 0);
        driver.input().offer(7, InputKind.POINTER_DOWN, 0, 1, 1);
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(simulation.inputsApplied()).isEqualTo(3);
        assertThat(simulation.hash()).isNotEqualTo(before);
    }

    @Test
    void shouldRefuseWhatDoesNotOscillate() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Spring(1, 1, 2))
                .withMessageContaining("m = 1.0, k = 1.0, c = 2.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new Spring(Double.NaN, 1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SpringSimulation(-1))
                .withMessage("there cannot be -1 bodies");
    }

    private static double errorAfterOneSecond(double dt) {
        Spring spring = new Spring(1, 150, 0);
        double[] state = {1, 0, 0, 0, 0, 0};
        for (int i = 0; i < Math.round(1 / dt); i++) {
            spring.step(state, 0, dt);
        }
        return Math.abs(state[0] - exactPosition(spring, 1, 0, 1));
    }

    private static long hashAfter(int ticks, int seed) {
        ManualClock clock = new ManualClock(0);
        SpringSimulation simulation = new SpringSimulation(50);
        InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < ticks; i++) {
            driver.input()
                    .offer(clock.nanoTime() + 1, InputKind.APPLICATION, PushControls.PUSH_ONE, random.nextInt(50), 1);
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
        return simulation.hash();
    }

    /**
     * e^(-g t) (x0 cos w t + (v0 + g x0) / w sin w t), with g = c / 2m and w^2 = k / m - g^2 (any textbook on the underdamped harmonic
     * oscillator).
     */
    private static double exactPosition(Spring spring, double x0, double v0, double seconds) {
        double g = spring.damping() / (2 * spring.massKilograms());
        double w = Math.sqrt(spring.stiffness() / spring.massKilograms() - g * g);
        return Math.exp(-g * seconds) * (x0 * Math.cos(w * seconds) + (v0 + g * x0) / w * Math.sin(w * seconds));
    }
}
