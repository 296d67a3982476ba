package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** That each contestant is the loop it says it is; the loops themselves are tested where they are. */
class GameLoopsTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final long ROUNDING = 1_000; // floats

    private final ScaledClock clock = new ScaledClock();

    /** After 10 s of frames of 40 ms a stall of 1 s: what is shown a frame later has taken it, or has not, in its own way. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FRAME_LOCKED      |   20
            CAPPED_TICKS      |  120
            COUNTED_FIRST     |  120
            ABSOLUTE_TIME     |  130
            REFRESH_QUANTISED |  117
            LIE_ABOUT_TIME    |  150
            PASS_REAL_TIME    | 1050
            VARIABLE_STEP     | 1040
            ACCUMULATOR       |  290
            CALLBACK_ENGINE   |  290
            TIME_READ_AGAIN   |  290
            MEAN_FRAME_RATE   |  280
            NEXT_TICK         | 1040
            SOFTENED          | 1040
            EXTRAPOLATION     |  290
            SLOW_MOTION       |   29
            """)
    void shouldTakeAStallInItsOwnWay(Contestant contestant, double millis) {
        GameLoop loop = loop(contestant);
        frames(loop, 250, 40 * MILLI);
        long before = loop.picture().shownSimNanos();
        frames(loop, 1, SECOND);
        frames(loop, 1, 40 * MILLI);
        assertThat((loop.picture().shownSimNanos() - before) / 1e6).isCloseTo(millis, within(1.0));
    }

    /** Row 6, 55 frames a second of 60 ticks: ten frames of 1 tick, then one of 2, which is what stutters where nothing is blended. */
    @Test
    void shouldMoveEvenlyAtFiftyFiveWhereTheLatestStateStutters() {
        long frameNanos = SECOND / 55;
        List<Long> even = steps(loop(Contestant.ACCUMULATOR, RefreshCase.FPS_55_AT_60_HZ), frameNanos);
        assertThat(even).allSatisfy(nanos -> assertThat(nanos).isCloseTo(frameNanos, within(ROUNDING)));
        List<Long> stutters = steps(loop(Contestant.CAPPED_TICKS, RefreshCase.FPS_55_AT_60_HZ), frameNanos);
        List<Long> ticks = stutters.stream()
                .map(nanos -> Math.round(60.0 * nanos / SECOND))
                .toList();
        int first = ticks.indexOf(2L);
        List<Long> elevenFrames = List.of(2L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(ticks.subList(first, first + 11)).isEqualTo(elevenFrames);
        assertThat(ticks.subList(first + 11, first + 22)).isEqualTo(elevenFrames);
    }

    /** Row 4: after an overload the fraction is 1, and not more. */
    @Test
    void shouldStandAtTheLastStateAfterAnOverload() {
        GameLoop loop = loop(Contestant.ABSOLUTE_TIME);
        frames(loop, 10, 40 * MILLI);
        frames(loop, 1, SECOND + 7 * MILLI);
        assertThat(loop.picture().shownSimNanos()).isEqualTo((36 + 8) * 10 * MILLI);
    }

    /** Row 5, a dot at 100 units a second, sampled at 0, 10, 21, 33 1/3, 43, 54 and 66 2/3 ms. */
    @Test
    void shouldShowTheDotAtWholePeriods() {
        GameLoop loop = loop(Contestant.REFRESH_QUANTISED);
        frames(loop, 1, 10 * MILLI);
        frames(loop, 1, 33_333_334); // two periods first, so that there is a state before
        long start = loop.picture().shownSimNanos();
        long[] elapsedNanos = {10 * MILLI, 11 * MILLI, 12_333_334, 9_666_666, 11 * MILLI, 12_666_667};
        double[] dot = {0, 1.67, 3.33, 3.33, 5.00, 6.67};
        for (int i = 0; i < dot.length; i++) {
            frames(loop, 1, elapsedNanos[i]);
            double units = 100.0 * (loop.picture().shownSimNanos() - start) / SECOND;
            assertThat(units).as("sample %s", i).isCloseTo(dot[i], within(0.005));
        }
    }

    /** What passed before the first frame is no time that a frame took. */
    @ParameterizedTest
    @EnumSource
    void shouldNotTakeTheTimeSinceStartUpForAFrame(Contestant contestant) {
        if (contestant.compareTo(Contestant.NEWEST) < 0) {
            GameLoop loop = loop(contestant);
            frames(loop, 1, 10 * SECOND);
            assertThat(loop.picture().shownSimNanos()).isZero();
        }
    }

    /** A limiter lets 100 frames a second begin, however fast the machine is. */
    @Test
    void shouldWaitUntilATickHasPassed() {
        clock.factor = 1;
        GameLoop loop = loop(Contestant.FRAME_LIMITER);
        loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        long lastEnd = clock.nanoTime();
        long lastCost = LoadProfile.LIGHT.costNanos(1) + LoadProfile.DRAW_NANOS;
        for (int frame = 2; frame <= 10; frame++) {
            loop.frame().draw(clock.nanoTime(), clock.nanoTime());
            long cost = LoadProfile.LIGHT.costNanos(frame) + LoadProfile.DRAW_NANOS;
            assertThat(clock.nanoTime() - cost).as("begins").isEqualTo(lastEnd - lastCost + 10 * MILLI);
            lastEnd = clock.nanoTime();
            lastCost = cost;
        }
        clock.advance(30 * MILLI);
        long before = clock.nanoTime();
        loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        assertThat(clock.nanoTime() - before).as("late enough").isLessThan(3 * MILLI);
    }

    /** Ticks beside a frame cost what they take longer than it, and are shown in the next. */
    @Test
    void shouldRunStepsBesideTheFrame() {
        clock.factor = 20;
        GameLoop loop = loop(Contestant.STEP_BESIDE_FRAME);
        loop.frame().draw(0, 0);
        assertThat(clock.nanoTime()).isEqualTo(LoadProfile.DRAW_NANOS);
        clock.advance(18 * MILLI);
        loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        long costs = 20 * (LoadProfile.LIGHT.costNanos(1) + LoadProfile.LIGHT.costNanos(2));
        assertThat(costs).isGreaterThan(LoadProfile.DRAW_NANOS);
        assertThat(clock.nanoTime()).isEqualTo(20 * MILLI + costs);
        assertThat(loop.picture().shownSimNanos()).as("the state before").isZero();
        loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        assertThat(loop.picture().shownSimNanos()).isEqualTo(20 * MILLI);
    }

    /** Steps of 4 to 8 ms, ten a frame: reading the clock again finds more of them. */
    @Test
    void shouldReadTheClockAgain() {
        clock.factor = 20;
        long once = lookBehindNanos(loop(Contestant.ACCUMULATOR));
        long again = lookBehindNanos(loop(Contestant.TIME_READ_AGAIN));
        assertThat(again).isLessThan(once - 40 * MILLI);
    }

    /** What is missing when a frame begins to draw, after some. */
    private long lookBehindNanos(GameLoop loop) {
        long startNanos = clock.nanoTime();
        frames(loop, 20, 100 * MILLI);
        return clock.nanoTime()
                - LoadProfile.DRAW_NANOS
                - startNanos
                - loop.picture().shownSimNanos();
    }

    /** How far 50 frames move the picture, after some. */
    private List<Long> steps(GameLoop loop, long frameNanos) {
        frames(loop, 20, frameNanos);
        List<Long> steps = new ArrayList<>();
        for (int frame = 0; frame < 50; frame++) {
            long before = loop.picture().shownSimNanos();
            frames(loop, 1, frameNanos);
            steps.add(loop.picture().shownSimNanos() - before);
        }
        return steps;
    }

    private GameLoop loop(Contestant contestant) {
        return loop(contestant, RefreshCase.FPS_60);
    }

    private GameLoop loop(Contestant contestant, RefreshCase refresh) {
        Case run = new Case(contestant, LoadProfile.LIGHT, refresh);
        GameLoops.Threads none = (loops, windowSize, drawing) -> {
            throw new IllegalStateException(contestant + " is no loop of one thread");
        };
        return contestant.loop(new GameLoops(run, new Scene(run.load(), clock), clock, none, Runnable::run));
    }

    /** Frames that begin so long after the one before began, if steps cost nothing. */
    private void frames(GameLoop loop, int count, long nanos) {
        for (int frame = 0; frame < count; frame++) {
            clock.advance(nanos - LoadProfile.DRAW_NANOS);
            loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        }
    }

    /** A clock on which steps take a multiple of what they should, at first nothing. */
    private static final class ScaledClock implements WorkClock {

        private final ManualClock clock = new ManualClock(0);
        private int factor;

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public void spend(long nanos) {
            advance(nanos == LoadProfile.DRAW_NANOS ? nanos : nanos * factor);
        }

        void advance(long nanos) {
            clock.advance(nanos);
        }
    }
}
