package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Steps of 14 ms at 100 Hz, on a clock that only they and the waits for due times move. */
class InlineLateTicksTest {

    private static final long MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldSkipAsAServiceDoes() {
        assertThat(dueMillis(builder -> builder.lateTicks(LateTicks.catchUp(0)).inline(clock)))
                .containsExactly(10L, 30L, 50L, 70L, 90L);
    }

    @Test
    void shouldTakeThePolicyOfTheBuilder() {
        assertThat(dueMillis(builder -> builder.lateTicks(LateTicks.dilate()).inline(clock)))
                .as("each is due when the one before it has ended: nothing hides lateness yet, and time is not slowed")
                .containsExactly(10L, 24L, 38L, 52L, 66L);
    }

    @Test
    void shouldRunEveryTickWithoutAPolicy() {
        assertThat(dueMillis(builder -> builder.inline(clock))).containsExactly(10L, 20L, 30L, 40L, 50L);
    }

    @Test
    void shouldHaveNoNextTickWhileTimeStandsStill() {
        InlineDriver driver = PhysicsService.builder(new Crates()).inline(clock);
        driver.pause();
        clock.advance(10 * MILLI);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        assertThat(driver.nextDueNanos()).isEqualTo(Long.MAX_VALUE);
        driver.resume();
        driver.runDueTicks();
        assertThat(driver.nextDueNanos()).isEqualTo(20 * MILLI);
    }

    private List<Long> dueMillis(Function<PhysicsServiceBuilder, InlineDriver> build) {
        Simulation slow = new ScriptedSimulation(tick -> clock.advance(14 * MILLI));
        InlineDriver driver = build.apply(PhysicsService.builder(slow));
        List<Long> due = new ArrayList<>();
        while (due.size() < 5) {
            long nextNanos = driver.nextDueNanos();
            clock.advance(Math.max(0, nextNanos - clock.nanoTime()));
            assertThat(driver.runDueTicks(1)).isEqualTo(1);
            due.add(nextNanos / MILLI);
        }
        return due;
    }
}
