package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InlineDriverTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(77);

    @Test
    void shouldSayThatTheSimulationCouldNotBegin() {
        IOException cause = new IOException("no such level");
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> {}) {
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

    /** One call runs at most a quarter second of clock time, at any speed. A requested speed applies from the end of the first tick on. */
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
    }

    /** The driver takes input out of a full ring while the next tick is 10 s away, but no tick gets it before its time. */
    @Test
    void shouldMakeRoomForInputBetweenTicksInSlowMotion() {
        int capacity = 16;
        List<String> seen = new ArrayList<>();
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> {
                    for (int i = 0; i < tick.input().size(); i++) {
                        seen.add(tick.number() + ": " + tick.input().event(i).code());
                    }
                }))
                .inputCapacity(capacity)
                .inline(clock);
        driver.timeScale(new TimeScale(1, 1000));
        for (int i = 0; i < 2 * capacity; i++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, i, 0, 0))
                    .isTrue();
        }
        assertThat(seen).isEmpty();
        clock.advance(2_000 * TICK_NANOS);
        driver.runDueTicks(Integer.MAX_VALUE);
        assertThat(driver.input().rejected()).isZero();
        assertThat(seen).hasSize(2 * capacity).startsWith("2: 0", "2: 1").endsWith("3: 30", "3: 31");
    }
}
