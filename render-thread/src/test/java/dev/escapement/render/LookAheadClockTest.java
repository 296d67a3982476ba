package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.PublishedWorld.Poses;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.capture.PoseWriter;
import java.util.function.LongUnaryOperator;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the displayed moment of a view with look-ahead. BlockPredictorTest tests the predicted poses. */
class LookAheadClockTest {

    private static final long FRAME_NANOS = 6_944_444;
    private static final float WAY_A_TICK = 0.03f;

    private static long cost(long tick) {
        return 1_000_000 + tick * 7919 % 3_000_000;
    }

    private static PublishedWorld world(LongUnaryOperator cost, Poses poses) {
        return new PublishedWorld(Interpolation.MIN_SNAPSHOTS, cost, poses);
    }

    private static void place(PoseWriter poses, float x) {
        poses.bodyCount(1);
        poses.set(0, x, 0, 0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 2})
    void shouldBeYoungerByTheTicksAskedFor(double ticks) {
        PublishedWorld world = world(LookAheadClockTest::cost, PublishedWorld::oneBody);
        FrameView known = FrameView.of(world.newReader());
        FrameView young = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        for (long nanos = 10 * TICK_NANOS; nanos < 500 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            known.advance(nanos);
            young.advance(nanos);
            long shownNanos = young.clock().shownSimNanos();
            long later = known.clock().shownSimNanos() + Math.round(ticks * TICK_NANOS);
            assertThat(shownNanos).isEqualTo(Math.min(later, world.timeline().simNanosAt(nanos)));
            double drawn = young.positionOfSlot(0, new Vector3f()).x;
            assertThat(drawn).isCloseTo((double) shownNanos / TICK_NANOS, within(2e-4));
        }
    }

    @Test
    void shouldRefuseWhatIsNoLookAhead() {
        for (double ticks : new double[] {-0.1, 2.01, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Interpolation.DEFAULT.lookAhead(ticks))
                    .withMessage("a view can look 0 to 2 ticks ahead, but not " + ticks);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Interpolation.DEFAULT.fadeWithin(Double.NaN))
                .withMessageContaining("in 0 ms or more, but not in NaN ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Interpolation(0, -1))
                .withMessageEndingWith("not in -1 ns");
        PublishedWorld small = new PublishedWorld(3, LookAheadClockTest::cost);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(1)))
                .withMessageContaining("at least 4 snapshots, but those of this reader have 3")
                .withMessageContaining("windowSize(4)");
        FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(0));
    }

    /**
     * One tick takes longer than any before, just when the body has changed its direction. Afterwards the moment from which the view
     * predicts catches up at twice the speed of time.
     */
    @Test
    void shouldResumeWithoutAJumpThroughALateTick() {
        PublishedWorld world = world(
                tick -> tick == 271 ? 9_800_000 : cost(tick),
                (tick, poses) -> place(poses, WAY_A_TICK * Math.abs(tick % 60 - 30)));
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(1));
        double wrong = 3 * WAY_A_TICK;
        double x = Double.NaN;
        long shown = 0;
        for (long nanos = 200 * TICK_NANOS; nanos < 300 * TICK_NANOS; nanos += TICK_NANOS / 100) {
            world.runUntil(nanos);
            view.advance(nanos);
            double before = x;
            long shownBefore = shown;
            x = view.positionOfSlot(0, new Vector3f()).x;
            shown = view.clock().shownSimNanos();
            if (nanos > 201 * TICK_NANOS) {
                // The prediction error fades within 25 frames, here at twice the speed. The fade is a cubic, at most
                // 1.5 times as steep as a line.
                assertThat(Math.abs(x - before)).as("at %s", view).isLessThan(2 * (2 * wrong * 1.5 / 25));
                assertThat(shown - shownBefore).as("at %s", view).isBetween(90_000L, 110_000L);
            }
        }
        assertThat(view.clock().holds()).isPositive();
        assertThat((double) shown / TICK_NANOS
                        - view.clock().tick()
                        - view.clock().alpha())
                .as("ticks ahead of the known moment")
                .isCloseTo(1, within(1e-3));
    }

    /** At 144 frames a second; the body turns back in each 30th tick or so. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3"})
    void shouldBeWrongForFewFramesWhereABodyBounces(double ticks, int frames) {
        PublishedWorld world =
                world(LookAheadClockTest::cost, (tick, poses) -> place(poses, WAY_A_TICK * Math.abs(tick % 61 - 30)));
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        int wrong = 0;
        int most = 0;
        for (long nanos = 100 * TICK_NANOS; nanos < 3000 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos);
            double at = WAY_A_TICK * Math.abs((double) view.clock().shownSimNanos() / TICK_NANOS % 61 - 30);
            wrong = Math.abs(view.positionOfSlot(0, new Vector3f()).x - at) > 0.001 ? wrong + 1 : 0;
            most = Math.max(most, wrong);
        }
        assertThat(most).isEqualTo(frames);
    }

    /** Until the view receives the pause, it displays moments after the one at which time stopped. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2})
    void shouldNotGoBackWhenItLearnsOfAPause(double ticks) {
        PublishedWorld world = world(
                LookAheadClockTest::cost,
                (tick, poses) -> place(poses, tick < 300 ? tick : 598f - tick)); // moves backwards after tick 299
        world.pauseAfter(300, 200 * TICK_NANOS);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        long shownNanos = 0;
        for (long nanos = 290 * TICK_NANOS; nanos < 400 * TICK_NANOS; nanos += TICK_NANOS / 20) {
            world.runUntil(nanos);
            view.advance(nanos);
            assertThat(view.clock().shownSimNanos()).isGreaterThanOrEqualTo(shownNanos);
            shownNanos = view.clock().shownSimNanos();
        }
        double moment = (double) shownNanos / TICK_NANOS;
        assertThat(moment).as("it is known late that time stands still").isLessThan(300.5);
        assertThat((double) view.positionOfSlot(0, new Vector3f()).x)
                .isCloseTo(moment < 299 ? moment : 598 - moment, within(1e-3));
    }
}
