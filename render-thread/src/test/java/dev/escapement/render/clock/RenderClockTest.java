package dev.escapement.render.clock;

import static dev.escapement.render.PublishedWorld.RATE;
import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.render.PublishedWorld;
import dev.escapement.render.ShownError;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the displayed time and its delay, also where time stops, changes its speed or is skipped, or the render thread sleeps. */
class RenderClockTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** A lead of one frame means that frames are made a frame before their display. */
    @ParameterizedTest
    @CsvSource({"60, 0", "144, 0", "60, 1", "144, 1"})
    void shouldHaveNoAnimationErrorOnceItHasLearned(int fps, int leadFrames) {
        ClockRun run = new ClockRun(3, heavy(), fps);
        run.leadNanos = leadFrames * run.frameNanos();
        run.until(12 * SECOND);
        long holds = run.clock.holds();
        ShownError error = run.measureUntil(30 * SECOND);
        assertThat(error.meanNanos()).isLessThan(1_000);
        assertThat(run.clock.holds() - holds).isLessThanOrEqualTo(1);
        assertThat(run.clock.clamps()).isZero();
        assertThat(run.lookBehindNanos()).isLessThan(run.leadNanos + TICK_NANOS + 8_000_000 + 1_000_000);
    }

    /** A render loop that is stopped after it has chosen the slot of a frame passes a display time in the past to the clock. */
    @Test
    void shouldForgetAFrameThatWasMadeAfterItsDisplay() {
        ClockRun run = new ClockRun(3, tick -> MILLI, 144);
        run.until(2 * SECOND);
        long holds = run.clock.holds();
        run.sleep(40 * MILLI);
        run.leadNanos = -40 * MILLI;
        run.frame();
        run.leadNanos = 0;
        run.until(4 * SECOND);
        assertThat(run.clock.holds()).isEqualTo(holds);
    }

    /**
     * Delays grow by 0.4 ms, so little that no snapshot is missing. So the delay C of the clock can grow only because the clock learns
     * longer delays.
     */
    @Test
    void shouldGrowByTwoPercentWhereDelaysGrow() {
        ClockRun run = new ClockRun(3, tick -> tick < 500 ? MILLI : 1_400_000, 1000);
        run.until(5 * SECOND);
        assertThat(run.clock.interpolationDelayNanos())
                .as("what is needed, from the start")
                .isEqualTo(MILLI + InterpolationDelay.SLACK_NANOS);
        long from = run.nowNanos;
        run.until(from + 10_000_000);
        assertThat(run.clock.interpolationDelayNanos() - MILLI - InterpolationDelay.SLACK_NANOS)
                .isBetween(150_000L, 200_000L);
        run.until(from + SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isEqualTo(1_400_000 + InterpolationDelay.SLACK_NANOS);
        assertThat(run.clock.holds()).isZero();
    }

    @Test
    void shouldShrinkByHalfAMillisecondASecond() {
        ClockRun run = new ClockRun(3, tick -> tick == 100 ? 4_500_000 : MILLI, 144);
        run.until(12 * SECOND); // the delay is forgotten by then
        long delay = run.clock.interpolationDelayNanos();
        assertThat(delay).isGreaterThan(3 * MILLI);
        run.until(14 * SECOND);
        assertThat(delay - run.clock.interpolationDelayNanos()).isBetween(950_000L, 1_050_000L);
        run.until(60 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isEqualTo(MILLI + InterpolationDelay.SLACK_NANOS);
    }

    @Test
    void shouldStayWithinWhatTheWindowHolds() {
        LongUnaryOperator jitter = tick -> tick % 2 == 0 ? 1_000_000 : 9_000_000;
        ClockRun two = new ClockRun(2, jitter, 144);
        two.until(30 * SECOND);
        assertThat(two.clock.interpolationDelayNanos()).as("the mean delay").isBetween(4_800_000L, 5_200_000L);
        ClockRun three = new ClockRun(3, jitter, 144);
        three.until(30 * SECOND);
        assertThat(three.clock.interpolationDelayNanos()).isEqualTo(9_000_000 + InterpolationDelay.SLACK_NANOS);
    }

    @Test
    void shouldClampToTheOldestSnapshotAndRefuseInstantsBefore() {
        PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000);
        SnapshotReader reader = world.newReader();
        world.runUntil(10 * TICK_NANOS);
        RenderClock clock = new RenderClock(Interpolation.DEFAULT);
        long now = 3 * TICK_NANOS; // long past
        clock.advance(now, now, reader);
        assertThat(clock.shownSimNanos()).isEqualTo(RATE.nanosAt(reader.window().oldestTick()));
        assertThat(clock.clamps()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(now - 1, now, reader))
                .withMessageStartingWith(
                        "the clock went backwards by 1 ns from one frame to the next, to " + (now - 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(now, now - 7, reader))
                .withMessageStartingWith("the display time went backwards by 7 ns");
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

    /**
     * At four times the speed a window lasts a quarter as long. The delay C that the clock has learned from ticks of 7 ms no longer fits
     * into the window.
     */
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

    /**
     * The displayed moment lags by one tick and the delay C of the clock. A clock that is off by a tick has no animation error, but fails
     * this test.
     */
    @Test
    void shouldLagByExactlyOneTickAndTheDelay() {
        ClockRun run = new ClockRun(3, heavy(), 144);
        run.until(14 * SECOND);
        for (int frame = 0; frame < 1000; frame++) {
            run.frame();
            assertThat(run.lookBehindNanos() - TICK_NANOS - run.clock.interpolationDelayNanos())
                    .isBetween(-1L, 1L);
        }
    }

    private static LongUnaryOperator heavy() {
        SplittableRandom random = new SplittableRandom(1);
        return tick -> MILLI + random.nextLong(7 * MILLI);
    }

    private static final class ClockRun {

        final RenderClock clock = new RenderClock(Interpolation.DEFAULT);
        final SnapshotReader reader;
        final PublishedWorld world;
        private final TickRate fps;
        private long frame = 1;
        private long offsetNanos;
        long nowNanos;

        /** The lead of each frame: the nanoseconds from its call to its display. */
        long leadNanos;

        ClockRun(int windowSize, LongUnaryOperator costNanos, int fps) {
            world = new PublishedWorld(windowSize, costNanos);
            reader = world.newReader();
            this.fps = TickRate.hertz(fps);
        }

        long frameNanos() {
            return fps.nanosAt(1) + 1;
        }

        void frame() {
            nowNanos = offsetNanos + fps.nanosAt(frame++);
            world.runUntil(nowNanos);
            clock.advance(nowNanos, nowNanos + leadNanos, reader);
        }

        void sleep(long nanos) {
            offsetNanos += nanos;
        }

        void until(long nanos) {
            while (nowNanos < nanos) {
                frame();
            }
        }

        ShownError measureUntil(long nanos) {
            ShownError error = new ShownError();
            while (nowNanos < nanos) {
                frame();
                error.frame(clock.shownSimNanos(), world.timeline(), nowNanos + leadNanos);
            }
            return error;
        }

        /** Makes frames and checks that none goes back or moves faster than {@code speed} plus the 2 % by which C may change. */
        void smoothlyUntil(long nanos, double speed) {
            long previous = clock.shownSimNanos();
            long previousNanos = nowNanos;
            while (nowNanos < nanos) {
                frame();
                double max = 1.02 * speed * (nowNanos - previousNanos) + 1;
                assertThat(clock.shownSimNanos() - previous)
                        .as("shown in the frame at %s ns", nowNanos)
                        .isBetween(0L, (long) max);
                previous = clock.shownSimNanos();
                previousNanos = nowNanos;
            }
        }

        /** Returns by how much simulated time the displayed moment lags at its display. */
        long lookBehindNanos() {
            return world.timeline().simNanosAt(nowNanos + leadNanos) - clock.shownSimNanos();
        }
    }
}
