package dev.escapement.render.clock;

import static dev.escapement.render.PublishedWorld.RATE;
import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.render.PublishedWorld;
import dev.escapement.render.ShownError;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenderClockTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    /** A lead of one frame means that frames are made a frame before their display. */
    @ParameterizedTest
    @CsvSource({"60, 0", "144, 0", "60, 1", "144, 1"})
    void shouldHaveNoAnimationErrorOnceItHasLearned(int fps, int leadFrames) {
        SplittableRandom random = new SplittableRandom(1);
        ClockRun run = new ClockRun(3, tick -> 1_000_000 + random.nextLong(7_000_000), fps);
        run.leadNanos = leadFrames * run.frameNanos();
        run.until(12 * SECOND);
        long holds = run.clock.holds();
        ShownError error = run.measureUntil(30 * SECOND);
        assertThat(error.meanNanos()).isLessThan(1_000);
        assertThat(run.clock.holds() - holds).isLessThanOrEqualTo(1);
        assertThat(run.clock.clamps()).isZero();
        assertThat(run.lookBehindNanos()).isLessThan(run.leadNanos + TICK_NANOS + 8_000_000 + 1_000_000);
    }

    /** A loop that is stopped between choosing its slot and the call passes a display time in the past. */
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

    @Test
    void shouldHoldAndGrowWhenASnapshotIsMissing() {
        ClockRun run = new ClockRun(3, tick -> tick == 300 ? 9_500_000 : 1_000_000, 144);
        run.until(2 * SECOND);
        long holds = run.clock.holds();
        long delay = run.clock.interpolationDelayNanos();
        run.until(4 * SECOND);
        assertThat(run.clock.holds()).isGreaterThan(holds);
        assertThat(run.clock.interpolationDelayNanos()).isGreaterThan(delay);
    }

    /** Delays grow slowly, so no snapshot is ever missing. Only the learned delay can move C. */
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
    void shouldFollowAndForgetTheLargestDelay() {
        // Every tenth tick is late. At 20 frames a second most ticks are never the newest of a window.
        ClockRun run = new ClockRun(3, tick -> tick < 1000 && tick % 10 == 3 ? 6_000_000 : 1_000_000, 20);
        run.until(9 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isEqualTo(6_000_000 + InterpolationDelay.SLACK_NANOS);
        run.until(40 * SECOND);
        assertThat(run.clock.interpolationDelayNanos()).isEqualTo(1_000_000 + InterpolationDelay.SLACK_NANOS);
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

    /**
     * A window of two snapshots cannot absorb delays of 1 to 8 ms. The error is least with C in the middle; the best fixed C has 0.44 ms.
     */
    @Test
    void shouldErrLittleWithTwoSnapshots() {
        SplittableRandom random = new SplittableRandom(1);
        ClockRun run = new ClockRun(2, tick -> 1_000_000 + random.nextLong(7_000_000), 144);
        run.until(12 * SECOND);
        assertThat(run.measureUntil(30 * SECOND).meanNanos()).isLessThan(600_000);
    }

    @Test
    void shouldRefuseInstantsThatGoBackwards() {
        ClockRun run = new ClockRun(3, tick -> 1_000_000, 144);
        run.until(10 * TICK_NANOS);
        long now = run.nowNanos;
        long shown = run.clock.shownSimNanos();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run.clock.advance(now - 1, now, run.reader))
                .withMessageStartingWith(
                        "the clock went backwards by 1 ns from one frame to the next, to " + (now - 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run.clock.advance(now, now - 7, run.reader))
                .withMessageStartingWith("the display time went backwards by 7 ns");
        assertThat(run.clock.advance(now, now, run.reader)).isTrue();
        assertThat(run.clock.shownSimNanos()).as("goes on").isEqualTo(shown);
    }

    @Test
    void shouldClampToTheOldestSnapshot() {
        PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000);
        SnapshotReader reader = world.newReader();
        world.runUntil(10 * TICK_NANOS);
        RenderClock clock = new RenderClock(Interpolation.DEFAULT);
        clock.advance(3 * TICK_NANOS, 3 * TICK_NANOS, reader); // an instant long past
        assertThat(clock.shownSimNanos()).isEqualTo(RATE.nanosAt(reader.window().oldestTick()));
        assertThat(clock.clamps()).isEqualTo(1);
    }

    @Test
    void shouldStayWithinTheWindowWhenTheServiceStops() {
        ClockRun run = new ClockRun(3, tick -> 1_000_000, 144);
        run.until(3 * SECOND);
        Window last = run.reader.window();
        for (int i = 0; i < 10_000; i++) {
            long nanos = 3 * SECOND + i * 7_000_000L;
            run.clock.advance(nanos, nanos, run.reader);
            assertThat(run.clock.shownSimNanos()).isLessThanOrEqualTo(RATE.nanosAt(last.newestTick()));
        }
        assertThat(run.clock.interpolationDelayNanos()).isLessThanOrEqualTo(2 * TICK_NANOS);
    }
}
