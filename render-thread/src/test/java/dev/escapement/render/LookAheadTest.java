package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.MotionBreakTest.Story;
import dev.escapement.render.PublishedWorld.Poses;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookAheadTest {

    static final int WINDOW = Interpolation.MIN_SNAPSHOTS;
    static final long FRAME_NANOS = 6_944_444;
    static final float WAY_A_TICK = 0.03f;

    static long cost(long tick) {
        return 1_000_000 + tick * 7919 % 3_000_000;
    }

    static PublishedWorld world(LongUnaryOperator cost, Poses poses) {
        return new PublishedWorld(WINDOW, cost, poses, PoseLayout.PLAIN, null);
    }

    /** A metre a tick. */
    static void straight(long tick, PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
    }

    /** To and fro between walls. */
    static void bounces(long tick, PoseWriter poses) {
        poses.bodyCount(1);
        long phase = tick % 60;
        poses.set(0, WAY_A_TICK * Math.abs(phase - 30), 0, 0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 1, 2})
    void shouldBeYoungerByThatAndAsEven(double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView known = FrameView.of(world.newReader());
        FrameView young = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        ShownError error = new ShownError();
        for (long nanos = 10 * TICK_NANOS; nanos < 1000 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            known.advance(nanos);
            young.advance(nanos);
            long shownNanos = young.clock().shownSimNanos();
            long later = known.clock().shownSimNanos() + Math.round(ticks * TICK_NANOS);
            assertThat(shownNanos).isEqualTo(Math.min(later, world.timeline().simNanosAt(nanos)));
            double drawn = young.positionOfSlot(0, new Vector3f()).x;
            assertThat(drawn).isCloseTo((double) shownNanos / TICK_NANOS, within(2e-4));
            if (nanos > 500 * TICK_NANOS) {
                error.frame(Math.round(drawn * TICK_NANOS), world.timeline(), nanos);
            }
        }
        assertThat(error.meanNanos()).isLessThan(10_000);
    }

    /** 100 frames in a tick show the path in detail: without fading, a jump is as long as the prediction error. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void shouldJumpNeitherInPlaceNorInVelocity(double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::bounces);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        double wrong = WAY_A_TICK * (1 + ticks);
        double step = Double.NaN;
        double x = Double.NaN;
        double largestStep = 0;
        double largestChange = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < 400 * TICK_NANOS; nanos += TICK_NANOS / 100) {
            world.runUntil(nanos);
            view.advance(nanos);
            double before = x;
            double stepBefore = step;
            x = view.positionOfSlot(0, new Vector3f()).x;
            step = x - before;
            if (nanos > 200 * TICK_NANOS) {
                largestStep = Math.max(largestStep, Math.abs(step));
                largestChange = Math.max(largestChange, Math.abs(step - stepBefore));
            }
        }
        // It fades within 25 frames. A cubic is 1.5 times as fast as a line at most, and its acceleration 6.
        assertThat(largestStep).isBetween(0.01 * WAY_A_TICK, 2 * wrong * 1.5 / 25 + 0.01 * WAY_A_TICK);
        assertThat(largestChange).isLessThan(2 * wrong * 6 / 25 / 25 + 1e-6);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 0.5, 1, 2})
    void shouldKeepTheBitsOfWhatRests(double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, (tick, poses) -> {
            poses.bodyCount(2);
            poses.set(0, 0.1f, 0.7f, -3.3f, 0, 0, 0, 1);
            poses.set(1, (float) tick, 0, 0, 0, 0, 0, 1);
        });
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        for (long nanos = 10 * TICK_NANOS; nanos < 50 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos);
            assertThat(view.positionOfSlot(0, new Vector3f())).isEqualTo(new Vector3f(0.1f, 0.7f, -3.3f));
        }
    }

    static Stream<Arguments> storiesAndTicks() {
        return Stream.of(Story.values())
                .flatMap(story -> Stream.of(0.3, 0.5, 1.0, 1.7, 2.0).map(ticks -> Arguments.of(story, ticks)));
    }

    /** A jumping body is never drawn between two places, nor at its old place after the jump. */
    @ParameterizedTest
    @MethodSource("storiesAndTicks")
    void shouldShowInterruptionsWhenTheyHappen(Story story, double ticks) {
        CapturedWorld world = new CapturedWorld(WINDOW, 1, 0, PoseLayout.PLAIN);
        Interpolation how = Interpolation.DEFAULT.lookAhead(ticks);
        try (FrameView view = FrameView.of(world.newReader(), how)) {
            for (long tick = 1; tick <= 80; tick++) {
                long now = tick;
                world.tick(poses -> MotionBreakTest.report(story, now, poses));
                long publishedNanos = world.timeline().dueNanos(tick) + TICK_NANOS / 2;
                for (long delay = 0; tick >= WINDOW && delay < TICK_NANOS; delay += 700_001) {
                    assertThat(view.advance(publishedNanos + delay)).isTrue();
                    check(story, view);
                }
            }
        }
    }

    private static void check(Story story, FrameView view) {
        double moment = view.clock().tick()
                + (double) view.clock().alpha()
                + view.clock().aheadTicks();
        long later = view.clock().tick() + 1;
        long shown = moment < later ? view.clock().tick() : later;
        assertThat(view.shown().tick()).isEqualTo(shown);
        assertThat(view.shown().bodies().exists(1)).isEqualTo(story.exists(shown));
        assertThat(view.positionOfSlot(0, new Vector3f()).x + view.shown().originX())
                .as("the body that never moves")
                .isEqualTo(7);
        if (story.exists(shown)) {
            // A body that jumps and keeps its velocity has jumped as soon as its tick is blended.
            long known = story == Story.TELEPORT_BY ? later : shown;
            double jumped = story.x(known) - known;
            double x = view.positionOfSlot(1, new Vector3f()).x + view.shown().originX();
            assertThat(x).as("at %s", view).isCloseTo(moment + jumped, within(4.0));
        }
    }

    @Test
    void shouldRefuseWhatIsNoLookAhead() {
        for (double ticks : new double[] {-0.1, 2.01, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Interpolation.DEFAULT.lookAhead(ticks))
                    .withMessage("a view can look 0 to 2 ticks ahead, but not " + ticks);
        }
        for (double age : new double[] {-1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Interpolation.DEFAULT.atMostOld(age))
                    .withMessageContaining("but is " + age + " ms");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Interpolation(0, -5, 0))
                .withMessageContaining("but is -5 ns");
        PublishedWorld small = new PublishedWorld(3, LookAheadTest::cost);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(1)))
                .withMessageContaining("at least 4 snapshots, but those of this reader have 3")
                .withMessageContaining("windowSize(4)");
        FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(0));
    }

    /** A wheel that slows down from more than half a turn a tick to less. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void shouldTurnWithoutAJumpWhereASpinEnds(double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, (tick, poses) -> {
            poses.bodyCount(1);
            double speed = Math.max(2, 4 - 0.05 * tick);
            double angle = 0;
            for (long t = 1; t <= tick; t++) {
                angle += Math.max(2, 4 - 0.05 * t);
            }
            poses.set(0, 0, 0, 0, 0, 0, (float) Math.sin(angle / 2), (float) Math.cos(angle / 2));
            poses.angularVelocity(0, 0, 0, (float) (100 * speed));
        });
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        Quaternionf q = new Quaternionf();
        for (long nanos = 10 * TICK_NANOS; nanos < 60 * TICK_NANOS; nanos += TICK_NANOS / 500) {
            world.runUntil(nanos);
            view.advance(nanos);
            Quaternionf before = new Quaternionf(q);
            view.rotationOfSlot(0, q);
            if (nanos > 11 * TICK_NANOS) {
                float turned = 2 * (float) Math.acos(Math.min(1, Math.abs(before.dot(q))));
                assertThat(turned).as("at %s", view).isLessThan(0.15f);
            }
        }
    }
}
