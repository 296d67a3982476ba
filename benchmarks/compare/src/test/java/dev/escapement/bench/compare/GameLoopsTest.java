package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each contestant is the loop of its name; the loops have tests of their own, and {@link ResultsPageTest} tests their pictures. */
class GameLoopsTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    private final ScaledClock clock = new ScaledClock();

    /** The physics of loops with a separate thread. */
    private final List<InlineDriver> physics = new ArrayList<>();

    /** After 10 s of frames of 40 ms a stall of 1 s: the next frame includes it, or a part of it, depending on the loop. */
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

    /** Time before the first frame does not count. */
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

    @Test
    void shouldTakeOneStateAFrameAndDropWhatFindsNoRoom() {
        Picture picture = loop(Contestant.FRAME_QUEUE).picture();
        picture.frame(0, 0);
        assertThat(picture.ballHeight()).as("the start").isEqualTo(Scene.START_METRES);
        clock.advance(120 * MILLI);
        physics.get(0).runDueTicks(); // twelve, into a queue of 8
        for (int frame = 1; frame <= 8; frame++) {
            picture.frame(0, 0);
            assertThat(picture.shownSimNanos()).isEqualTo(10 * MILLI * frame);
        }
        picture.frame(0, 0);
        assertThat(picture.shownSimNanos()).as("once more").isEqualTo(80 * MILLI);
        clock.advance(10 * MILLI);
        physics.get(0).runDueTicks();
        picture.frame(0, 0);
        assertThat(picture.shownSimNanos()).as("9 to 12 were dropped").isEqualTo(130 * MILLI);
    }

    private GameLoop loop(Contestant contestant) {
        Case run = new Case(contestant, LoadProfile.LIGHT, RefreshCase.FPS_60);
        GameLoops.Threads threads = (loops, windowSize, drawing) -> {
            InlineDriver driver = PhysicsService.builder(loops.scene()).inline(clock);
            physics.add(driver);
            return new GameLoop(drawing.apply(driver.newReader()), (begin, display) -> {});
        };
        return contestant.loop(new GameLoops(run, new Scene(run.load(), clock), clock, threads));
    }

    /** Frames at given intervals, if steps take no time. */
    private void frames(GameLoop loop, int count, long nanos) {
        for (int frame = 0; frame < count; frame++) {
            clock.advance(nanos - LoadProfile.DRAW_NANOS);
            loop.frame().draw(clock.nanoTime(), clock.nanoTime());
        }
    }

    /** A clock on which steps take a multiple of what they should, at first nothing. */
    private static final class ScaledClock extends WorkClock {

        private int factor;

        @Override
        void spend(long nanos) {
            advance(nanos == LoadProfile.DRAW_NANOS ? nanos : nanos * factor);
        }

        void advance(long nanos) {
            super.spend(nanos);
        }
    }
}
