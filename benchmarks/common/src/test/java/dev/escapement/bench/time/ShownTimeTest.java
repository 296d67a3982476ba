package dev.escapement.bench.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import org.junit.jupiter.api.Test;

/** What is seen while time is paused, resumed, stepped, slowed down and sped up: a picture that never jumps nor runs back. */
class ShownTimeTest {

    private static final long STEP_NANOS = 250_000;
    private static final long SECOND = 1_000_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(new SpringSimulation(1)).inline(clock);
    private final FrameView view = FrameView.of(driver.newReader());
    private long shownNanos = -1;
    private double fastest = 1;

    @Test
    void shouldNeverJumpAcrossAnyChangeOfTime() {
        run(8 * SECOND);
        driver.pause();
        run(3 * SECOND);
        long standing = shownNanos;
        run(SECOND);
        assertThat(shownNanos).isEqualTo(standing);
        driver.resume();
        run(SECOND);
        driver.timeScale(new TimeScale(1, 10));
        run(3 * SECOND);
        driver.pause();
        run(SECOND / 3);
        for (int i = 0; i < 5; i++) {
            driver.step();
            run(SECOND / 4);
        }
        driver.resume();
        run(SECOND);
        driver.timeScale(TimeScale.ONE);
        run(SECOND);
        fastest = 4;
        driver.timeScale(new TimeScale(4, 1));
        run(SECOND);
        assertThat(view.clock().clamps()).isZero();
        assertThat(view.clock().holds()).isLessThanOrEqualTo(1);
    }

    /** The driver gives nothing up: after a stall all ticks run, and those that were late look like long delays for a while. */
    @Test
    void shouldBeRightAgainAfterALongStallOfALoopThatRunsEveryTick() {
        run(8 * SECOND);
        clock.advance(12 * SECOND);
        fastest = 1e9;
        run(30 * SECOND);
        fastest = 1;
        long clamps = view.clock().clamps();
        run(5 * SECOND);
        assertThat(view.clock().clamps()).isEqualTo(clamps);
        assertThat(view.clock().coverNanos()).isLessThan(15_000_000);
    }

    private void run(long nanos) {
        for (long end = clock.nanoTime() + nanos; clock.nanoTime() < end; ) {
            clock.advance(STEP_NANOS);
            driver.runDueTicks();
            if (view.advance(clock.nanoTime())) {
                long now = view.clock().shownSimNanos();
                if (shownNanos >= 0) {
                    // The cover may grow or shrink by 2 % meanwhile.
                    assertThat(now - shownNanos).isBetween(0L, (long) (1.02 * fastest * STEP_NANOS) + 10_000);
                }
                shownNanos = now;
            }
        }
    }
}
