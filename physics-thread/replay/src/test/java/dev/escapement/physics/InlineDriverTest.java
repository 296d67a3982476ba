package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InlineDriverTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(77);
    private int steps;

    @Test
    void shouldSayThatTheSimulationCouldNotBegin() {
        IOException cause = new IOException("no such level");
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> steps++) {
                    @Override
                    public void begin() throws Exception {
                        throw cause;
                    }
                })
                .inline(clock);
        clock.advance(TICK_NANOS);
        for (int attempt = 0; attempt < 2; attempt++) { // the second attempt fails in the same way
            assertThatIllegalStateException()
                    .isThrownBy(driver::runDueTicks)
                    .withMessageContaining("could not begin")
                    .withCause(cause);
        }
        assertThat(steps).isZero();
    }

    @Test
    void shouldRunNoMoreThanWasDueAtTheCall() {
        Simulation slow = new ScriptedSimulation(tick -> clock.advance(3 * TICK_NANOS)); // never catches up
        InlineDriver driver = PhysicsService.builder(slow).inline(clock);
        clock.advance(2 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(2);
    }

    @Test
    void shouldGiveUpNothingIfTheCallerSaysHowMany() {
        InlineDriver driver = PhysicsService.builder(ScriptedSimulation.good()).inline(clock);
        clock.advance(1000 * TICK_NANOS);
        assertThat(driver.runDueTicks(10)).isEqualTo(10);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(990);
        assertThat(driver.skippedTicks()).isZero();
        clock.advance(1000 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(25);
        assertThat(driver.skippedTicks()).isEqualTo(974);
        assertThat(driver.runDueTicks()).as("due right now").isOne();
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isOne();
    }

    /** At 60 Hz a driver runs at most a quarter of a second at once, which is 15 ticks. Some ticks are 1 ns longer than others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 59})
    void shouldRunAsManyTicksWhereverItBegins(int before) {
        InlineDriver driver = PhysicsService.builder(ScriptedSimulation.good())
                .rate(TickRate.hertz(60))
                .inline(clock);
        clock.advance(16_666_667L * before);
        assertThat(driver.runDueTicks(before)).isEqualTo(before);
        clock.advance(1_000_000_100); // 60 ticks are due in it
        assertThat(driver.runDueTicks()).isEqualTo(15);
        assertThat(driver.skippedTicks()).isEqualTo(45);
        clock.advance(1_000_000_100);
        assertThat(driver.runDueTicks()).as("from another origin").isEqualTo(15);
    }

    /** The limit is a quarter second of clock time at any speed. A requested speed applies from the end of the first tick on. */
    @Test
    void shouldRunAQuarterSecondOfClockAtAnySpeed() {
        InlineDriver driver = PhysicsService.builder(ScriptedSimulation.good()).inline(clock);
        driver.timeScale(TimeScale.of(0.1));
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isOne();
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks()).as("of 100 ms each").isEqualTo(3);
        assertThat(driver.skippedTicks()).isEqualTo(6);
        driver.timeScale(TimeScale.ONE);
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks()).as("of 10 ms each").isEqualTo(25);
        assertThat(driver.skippedTicks()).isEqualTo(6 + 75);
        assertThat(driver.runDueTicks()).as("due right now").isOne();
        driver.timeScale(TimeScale.of(0.1));
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks())
                .as("of 100 ms each, after one of 10 ms")
                .isEqualTo(3);
        assertThat(driver.skippedTicks()).isEqualTo(6 + 75 + 7);
    }

    @Test
    void shouldBuildOnceOnly() {
        PhysicsServiceBuilder builder = PhysicsService.builder(ScriptedSimulation.good());
        builder.inline(clock);
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.inline(clock))
                .withMessageStartingWith("this builder has built before");
    }
}
