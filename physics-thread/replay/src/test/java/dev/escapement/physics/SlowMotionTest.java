package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and input while the next tick is 10 s away, at 100 Hz and a thousandth of real time. */
@Timeout(60)
class SlowMotionTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final TimeScale SLOW = new TimeScale(1, 1000);
    private static final int CAPACITY = 16;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();
    private int polls;

    /** The driver takes input out of a full ring between ticks, but no tick gets it before its time. */
    @Test
    void shouldMakeRoomForInputBetweenTicks() {
        InlineDriver driver = slow();
        for (int i = 0; i < 2 * CAPACITY; i++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, i, 0, 0))
                    .isTrue();
        }
        assertThat(seen).isEmpty();
        clock.advance(2_000 * TICK_NANOS);
        driver.runDueTicks(Integer.MAX_VALUE);
        assertThat(driver.input().rejected()).isZero();
        assertThat(seen).hasSize(2 * CAPACITY).startsWith("2: 0", "2: 1").endsWith("3: 30", "3: 31");
    }

    @Test
    void shouldPollDevicesBetweenTicks() {
        InlineDriver driver = slow();
        int before = polls;
        driver.runDueTicks();
        driver.runDueTicks();
        assertThat(polls).isEqualTo(before + 2);
    }

    private void step(Tick tick) {
        for (int i = 0; i < tick.input().size(); i++) {
            seen.add(tick.number() + ": " + tick.input().event(i).code());
        }
    }

    /** Starts a driver after whose first tick the next is due in 10 s. */
    private InlineDriver slow() {
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(this::step))
                .inputCapacity(CAPACITY)
                .source(ring -> polls++)
                .inline(clock);
        driver.timeScale(SLOW);
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        return driver;
    }
}
