package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeRequestsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<Double> steps = new ArrayList<>();
    private final InlineDriver driver = PhysicsService.builder(
                    new ScriptedSimulation(tick -> steps.add(tick.dtSeconds())))
            .inline(clock);
    private final SnapshotReader reader = driver.newReader();

    @Test
    void shouldTakeTheTimeThatTheScaleSays() {
        run(10 * TICK_NANOS);
        driver.timeScale(new TimeScale(1, 4));
        run(TICK_NANOS); // tick 11 keeps its due time; the slower time begins there
        assertThat(steps).hasSize(11);
        run(4 * TICK_NANOS - 1);
        assertThat(steps).hasSize(11);
        run(1);
        assertThat(steps).hasSize(12).containsOnly(0.01);
    }

    @Test
    void shouldStandStillAfterATickAndResumeFromNow() {
        run(10 * TICK_NANOS);
        driver.pause();
        run(1_000 * TICK_NANOS);
        assertThat(steps).hasSize(11);
        assertThat(driver.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
        reader.acquire();
        assertThat(reader.window().timeline().isPaused()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(clock.nanoTime())).isEqualTo(11 * TICK_NANOS);
        driver.resume();
        driver.runDueTicks();
        assertThat(reader.acquire()).as("the same snapshots, another timeline").isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(11);
        assertThat(reader.window().timeline().isPaused()).isFalse();
        run(TICK_NANOS - 1);
        assertThat(steps).hasSize(11);
        run(1);
        assertThat(steps).hasSize(12);
    }

    /** At 1/100, tick 12 is due 1 s after tick 11. Half of it has passed at the first request, and a quarter is left at the last one. */
    @Test
    void shouldChangeTimeAtOnceWithinALongTick() {
        run(10 * TICK_NANOS);
        driver.timeScale(new TimeScale(1, 100));
        run(TICK_NANOS + 500_000_000);
        driver.timeScale(new TimeScale(1, 50));
        run(125_000_000);
        driver.pause();
        run(TICK_NANOS);
        reader.acquire();
        assertThat(reader.window().timeline().isPaused()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(clock.nanoTime())).isCloseTo(117_500_000, within(300_000L));
        run(3_000_000_000L);
        driver.timeScale(TimeScale.ONE);
        driver.resume();
        driver.runDueTicks();
        assertThat(steps).hasSize(11);
        run(3_000_000);
        assertThat(steps).hasSize(12);
        assertThat(driver.realTimeFactor()).isOne();
    }

    @Test
    void shouldRunAsManySingleStepsAsAskedFor() {
        driver.pause();
        run(5 * TICK_NANOS);
        assertThat(steps).hasSize(1);
        driver.step();
        run(5 * TICK_NANOS);
        assertThat(steps).hasSize(2);
        driver.step();
        driver.step();
        run(5 * TICK_NANOS);
        assertThat(steps).hasSize(4);
        driver.resume();
        run(5 * TICK_NANOS);
        assertThat(steps.size()).isGreaterThan(6);
    }

    /**
     * Steps take 14 ms at 100 Hz. By default ticks 2 and 3 run 4 and 8 ms late; {@code catchUp(0)} skips a deadline after each tick
     * instead.
     */
    @Test
    void shouldRunEveryTickUnlessTheBuilderHasAPolicy() {
        PhysicsServiceBuilder builder =
                PhysicsService.builder(new ScriptedSimulation(tick -> clock.advance(14_000_000)));
        assertThat(dueNanos(builder.inline(clock))).containsExactly(10_000_000L, 20_000_000L, 30_000_000L);
        PhysicsServiceBuilder skipping =
                PhysicsService.builder(new ScriptedSimulation(tick -> clock.advance(14_000_000)));
        long start = clock.nanoTime();
        assertThat(dueNanos(skipping.lateTicks(LateTicks.catchUp(0)).inline(clock)))
                .containsExactly(start + 10_000_000, start + 30_000_000, start + 50_000_000);
    }

    private List<Long> dueNanos(InlineDriver slow) {
        List<Long> due = new ArrayList<>();
        while (due.size() < 3) {
            due.add(slow.nextDueNanos());
            clock.advance(Math.max(0, slow.nextDueNanos() - clock.nanoTime()));
            assertThat(slow.runDueTicks(1)).isEqualTo(1);
        }
        return due;
    }

    /** The driver ends at 35 ms. Three ticks were due by then and none was published, so all three count as skipped. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSkipWhatWasDueBeforeTheEnd(boolean fails) {
        Simulation simulation = fails
                ? ScriptedSimulation.failingFrom(1, new IllegalStateException("full"))
                : ScriptedSimulation.good();
        InlineDriver ending = PhysicsService.builder(simulation).inline(clock);
        clock.advance(35_000_000);
        if (fails) {
            assertThatIllegalStateException().isThrownBy(ending::runDueTicks).withMessageContaining("full");
        }
        ending.close();
        assertThat(ending.skippedTicks()).isEqualTo(3);
    }

    /** Advances the clock in steps of a frame and runs the due ticks after each. */
    private void run(long nanos) {
        long left = nanos;
        while (left > 0) {
            long step = Math.min(left, 6_944_444);
            clock.advance(step);
            driver.runDueTicks();
            left -= step;
        }
    }
}
