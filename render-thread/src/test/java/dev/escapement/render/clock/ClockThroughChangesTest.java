package dev.escapement.render.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.ShownError;
import dev.escapement.state.time.TimeScale;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the displayed time where time stops, changes its speed or is skipped, and where the render thread sleeps. */
class ClockThroughChangesTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    @Test
    void shouldResumeWhereItStoodAfterAnyPause() {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.world.pauseAfter(1500, 60 * SECOND);
        run.until(14 * SECOND);
        long delay = run.clock.interpolationDelayNanos();
        run.smoothlyUntil(16 * SECOND, 1);
        long standing = run.clock.shownSimNanos();
        run.smoothlyUntil(75 * SECOND, 1);
        assertThat(run.clock.shownSimNanos()).as("stands still").isEqualTo(standing);
        run.smoothlyUntil(80 * SECOND, 1);
        assertThat(run.clock.shownSimNanos()).isGreaterThan(standing + 4 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isBetween(delay - MILLI, delay + MILLI);
    }

    /** Time stops at tick 1500, at 15 s. A second later it makes one step. */
    @Test
    void shouldShowTheNewestTickWhileTimeStands() {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.world.pauseAfter(1500, SECOND);
        run.until(14 * SECOND);
        long holds = run.clock.holds();
        run.smoothlyUntil(15 * SECOND + 50 * MILLI, 1);
        assertThat(run.clock.shownSimNanos()).isEqualTo(15 * SECOND);
        run.world.pauseAfter(1501, SECOND);
        run.smoothlyUntil(16 * SECOND + 60 * MILLI, 1);
        assertThat(run.reader.window().newestTick()).isEqualTo(1501);
        assertThat(run.clock.tick() + run.clock.alpha()).isEqualTo(1501);
        assertThat(run.clock.holds()).isEqualTo(holds);
    }

    @Test
    void shouldNotJumpWhereTimeSlowsDown() {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.world.scaleAfter(1500, new TimeScale(1, 10));
        run.until(14 * SECOND);
        run.smoothlyUntil(30 * SECOND, 1);
        long shown = run.clock.shownSimNanos();
        run.smoothlyUntil(40 * SECOND, 0.1);
        assertThat(run.clock.shownSimNanos() - shown).isBetween(990 * MILLI, 1010 * MILLI);
    }

    /** At four times the speed a window lasts a quarter as long. The delay C that the clock learned from ticks of 7 ms no longer fits. */
    @Test
    void shouldMakeCFitTheWindowWhereTimeRunsFaster() {
        ClockRun run = new ClockRun(3, tick -> tick < 1400 ? 7 * MILLI : MILLI, 144);
        run.world.scaleAfter(1500, new TimeScale(4, 1));
        run.until(14 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isGreaterThan(7 * MILLI);
        run.until(16 * SECOND);
        long clamps = run.clock.clamps();
        ShownError error = run.measureUntil(20 * SECOND);
        assertThat(run.clock.clamps()).isEqualTo(clamps);
        assertThat(error.meanNanos()).as("while C shrinks by 0.05%").isLessThan(15_000);
    }

    @Test
    void shouldNeitherJumpNorLagAfterThePhysicsThreadSlept() {
        ClockRun run = new ClockRun(3, tick -> tick == 1500 ? 101 * MILLI : MILLI, 144);
        run.until(14 * SECOND);
        long delay = run.clock.interpolationDelayNanos();
        run.smoothlyUntil(16 * SECOND, 1);
        assertThat(run.clock.interpolationDelayNanos())
                .as("time that was skipped")
                .isLessThan(delay + 7 * MILLI);
        assertThat(run.clock.clamps()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 3_000})
    void shouldJumpByNoMoreThanTheRenderThreadSlept(long sleptMillis) {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.until(14 * SECOND);
        long shown = run.clock.shownSimNanos();
        long from = run.nowNanos;
        run.sleep(sleptMillis * MILLI);
        run.frame();
        assertThat(run.clock.shownSimNanos() - shown).isBetween(0L, run.nowNanos - from + 50_000);
        long holds = run.clock.holds();
        run.smoothlyUntil(run.nowNanos + 5 * SECOND, 1);
        assertThat(run.clock.holds() - holds).isLessThanOrEqualTo(3);
        assertThat(run.clock.clamps()).isZero();
    }

    /** Time resumes long after the last publish. The next frame must not learn a negative delay from that. */
    @Test
    void shouldLearnNoDelayFromTheTickOfAPause() {
        ClockRun run = new ClockRun(3, tick -> 4 * MILLI, 144);
        run.world.pauseAfter(100, 10 * SECOND);
        run.sleep(11 * SECOND + 6 * MILLI);
        run.frame();
        assertThat(run.reader.window().newestTick()).isEqualTo(100);
        assertThat(run.reader.window().timeline().isPaused()).isFalse();
        run.until(12 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isBetween(4 * MILLI, 6 * MILLI);
        assertThat(run.clock.holds()).isZero();
    }

    @Test
    void shouldHoldOnlyForTheFirstOfTwoLateTicks() {
        ClockRun run = new ClockRun(3, tick -> tick == 1000 || tick == 1004 ? 9 * MILLI : MILLI, 1000);
        run.until(10 * SECOND + 15 * MILLI);
        long holds = run.clock.holds();
        assertThat(holds).isPositive();
        run.until(11 * SECOND);
        assertThat(run.clock.holds()).isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(longs = {16, 50})
    void shouldFollowALeadThatGrowsOrShrinks(long leadMillis) {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.until(14 * SECOND);
        run.leadNanos = leadMillis * MILLI;
        run.until(18 * SECOND);
        long holds = run.clock.holds();
        assertThat(run.measureUntil(30 * SECOND).meanNanos()).isLessThan(10_000);
        assertThat(run.clock.holds()).isEqualTo(holds);
        run.sleep(leadMillis * MILLI); // otherwise the display time would go back
        run.leadNanos = 0;
        run.until(34 * SECOND);
        long clamps = run.clock.clamps();
        run.until(60 * SECOND);
        assertThat(run.clock.clamps()).isEqualTo(clamps);
        assertThat(run.measureUntil(70 * SECOND).meanNanos()).isLessThan(10_000);
    }

    /** The displayed moment lags by one tick and C. A clock that is off by a tick has no animation error, but fails this test. */
    @Test
    void shouldLagByExactlyOneTickAndTheDelay() {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.until(14 * SECOND);
        for (int frame = 0; frame < 1000; frame++) {
            run.frame();
            assertThat(run.lookBehindWithoutDelay()).isBetween(-1L, 1L);
        }
    }

    private static LongUnaryOperator heavy() {
        SplittableRandom random = new SplittableRandom(1);
        return tick -> MILLI + random.nextLong(7 * MILLI);
    }
}
