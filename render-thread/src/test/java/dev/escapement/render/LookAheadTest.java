package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.MotionBreakTest.Story;
import dev.escapement.render.PublishedWorld.Poses;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.render.interpolation.Interpolation.Rotations;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookAheadTest {

    private static final int WINDOW = LookAhead.LEAST_SNAPSHOTS;
    private static final long FRAME_NANOS = 6_944_444;
    private static final PoseLayout VELOCITIES = new PoseLayout(Tangents.DERIVED, List.of());
    private static final float WAY_A_TICK = 0.03f;

    private static long cost(long tick) {
        return 1_000_000 + tick * 7919 % 3_000_000;
    }

    private static Interpolation ahead(Positions positions, LookAhead ahead) {
        return new Interpolation(positions, Rotations.SLERP, 0).lookAhead(ahead);
    }

    private static PublishedWorld world(LongUnaryOperator cost, Poses poses) {
        return new PublishedWorld(WINDOW, cost, poses, VELOCITIES, null);
    }

    /** A metre a tick. */
    private static void straight(long tick, PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
    }

    /** To and fro between walls. */
    private static void bounces(long tick, PoseWriter poses) {
        poses.bodyCount(1);
        long phase = tick % 60;
        poses.set(0, WAY_A_TICK * Math.abs(phase - 30), 0, 0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @CsvSource({"LINEAR, 0.25", "LINEAR, 1", "LINEAR, 2", "HERMITE, 0.5", "HERMITE, 1", "HERMITE, 2"})
    void shouldBeYoungerByThatAndAsEven(Positions positions, double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView known = FrameView.of(world.newReader());
        FrameView young = FrameView.of(world.newReader(), ahead(positions, LookAhead.ticks(ticks)));
        AnimationError error = new AnimationError("ahead");
        for (long nanos = 10 * TICK_NANOS; nanos < 1000 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            known.advance(nanos);
            young.advance(nanos);
            long shownNanos = young.clock().shownSimNanos();
            assertThat(shownNanos - known.clock().shownSimNanos()).isEqualTo(Math.round(ticks * TICK_NANOS));
            double drawn = young.positionOfSlot(0, new Vector3f()).x;
            assertThat(drawn).isCloseTo((double) shownNanos / TICK_NANOS, within(2e-4));
            if (nanos > 500 * TICK_NANOS) {
                error.frame(Math.round(drawn * TICK_NANOS), world.timeline(), nanos);
            }
        }
        assertThat(error.meanNanos()).as(error.toString()).isLessThan(10_000);
    }

    /** 100 frames in a tick see the path as it is: a jump is as long as what was predicted wrongly. */
    @ParameterizedTest
    @CsvSource({"LINEAR, 0.5", "LINEAR, 1", "LINEAR, 2", "HERMITE, 0.5", "HERMITE, 1", "HERMITE, 2"})
    void shouldJumpNeitherInPlaceNorInVelocity(Positions positions, double ticks) {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::bounces);
        FrameView view = FrameView.of(world.newReader(), ahead(positions, LookAhead.ticks(ticks)));
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
                .flatMap(story -> Stream.of(0.3, 0.5, 1.0, 1.7, 2.0)
                        .flatMap(ticks -> Stream.of(PoseLayout.PLAIN, VELOCITIES)
                                .map(layout -> Arguments.of(story, ticks, layout))));
    }

    /** It is never drawn between two places, nor where it was before once the moment is after the jump. */
    @ParameterizedTest
    @MethodSource("storiesAndTicks")
    void shouldShowInterruptionsWhenTheyHappen(Story story, double ticks, PoseLayout layout) {
        CapturedWorld world = new CapturedWorld(WINDOW, 1, 0, layout);
        Interpolation how = ahead(Positions.HERMITE, LookAhead.ticks(ticks));
        try (FrameView view = FrameView.of(world.newReader(), how)) {
            for (long tick = 1; tick <= 80; tick++) {
                long now = tick;
                world.tick(poses -> MotionBreakTest.tell(story, now, poses));
                long publishedNanos = world.timeline().dueNanos(tick) + TICK_NANOS / 2;
                for (long delay = 0; tick >= WINDOW && delay < TICK_NANOS; delay += 700_001) {
                    assertThat(view.advance(publishedNanos + delay)).isTrue();
                    check(story, view);
                }
            }
        }
    }

    private static void check(Story story, FrameView view) {
        double moment = view.shownTick() + (double) view.alpha() + view.aheadTicks();
        long later = view.shownTick() + 1;
        long shown = moment < later ? view.shownTick() : later;
        assertThat(view.shown().tick()).isEqualTo(shown);
        assertThat(view.shown().bodies().exists(1)).isEqualTo(story.exists(shown));
        assertThat(view.positionOfSlot(0, new Vector3f()).x + view.shown().originX())
                .as("the body that never moves")
                .isEqualTo(7);
        if (story.exists(shown)) {
            // What jumps and goes on has jumped as soon as its tick is blended.
            long known = story == Story.TELEPORT_BY ? later : shown;
            double jumped = story.x(known) - known;
            double x = view.positionOfSlot(1, new Vector3f()).x + view.shown().originX();
            assertThat(x).as("at %s", view).isCloseTo(moment + jumped, within(4.0));
        }
    }

    @Test
    void shouldNeverGoBackNorJumpThroughAPause() {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::straight);
        world.pauseAfter(300, 70 * TICK_NANOS);
        FrameView view = FrameView.of(world.newReader(), ahead(Positions.LINEAR, new LookAhead(1, 12_000_000, 0.9)));
        double x = 0;
        for (long nanos = 200 * TICK_NANOS; nanos < 500 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos);
            double before = x;
            x = view.positionOfSlot(0, new Vector3f()).x;
            assertThat(before == 0 ? 0 : x - before).isBetween(-1e-4, 1.1 * FRAME_NANOS / TICK_NANOS);
        }
        assertThat(x).as("it went on").isGreaterThan(420);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 3, 8, 12, 50})
    void shouldBeNoOlderThanAsked(double milliseconds) {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView view = FrameView.of(world.newReader(), ahead(Positions.LINEAR, LookAhead.atMostOld(milliseconds)));
        for (long nanos = 10 * TICK_NANOS; nanos < 1500 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos);
            double age = (world.timeline().simNanosAt(nanos) - view.clock().shownSimNanos()) / 1e6;
            double cover = view.clock().coverNanos() / 1e6;
            double expected = Math.max(cover + 10 - 20, Math.min(cover + 10, milliseconds));
            assertThat(age).isCloseTo(expected, within(2e-3));
        }
    }

    /** One tick in twenty takes 8 ms longer. */
    @Test
    void shouldCoverAPartOfTheDelaysAndPredictTheOthers() {
        PublishedWorld world = world(tick -> tick % 20 == 0 ? 9_000_000 : 1_000_000, LookAheadTest::straight);
        FrameView all = FrameView.of(world.newReader());
        FrameView most = FrameView.of(world.newReader(), ahead(Positions.LINEAR, LookAhead.NONE.coverQuantile(0.9)));
        for (long nanos = 10 * TICK_NANOS; nanos < 6000 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            all.advance(nanos);
            most.advance(nanos);
            double x = most.positionOfSlot(0, new Vector3f()).x;
            assertThat(x).isCloseTo((double) most.clock().shownSimNanos() / TICK_NANOS, within(2e-3));
        }
        long younger = most.clock().shownSimNanos() - all.clock().shownSimNanos();
        assertThat(younger).isBetween(7_500_000L, 8_000_000L);
        assertThat(most.clock().holds()).isEqualTo(all.clock().holds());
    }

    @Test
    void shouldMoveAFrameToWhenItIsDrawn() {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(1));
        view.retime(TICK_NANOS); // there is no frame yet
        for (long nanos = 10 * TICK_NANOS; nanos < 900 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos, nanos);
            long newest = view.window().newestTick();
            long shown = view.clock().shownSimNanos();
            float x = view.positionOfSlot(0, new Vector3f()).x;
            world.runUntil(nanos + 3_000_000);
            view.retime(nanos + 3_000_000);
            assertThat(view.window().newestTick()).isEqualTo(newest);
            assertThat(view.displayNanos()).isEqualTo(nanos + 3_000_000);
            if (nanos > 500 * TICK_NANOS) {
                assertThat(view.clock().shownSimNanos() - shown).isEqualTo(3_000_000);
                assertThat(view.positionOfSlot(0, new Vector3f()).x - x).isCloseTo(0.3f, within(2e-4f));
            }
        }
        assertThat(view.clock().holds()).as("the cover has learned it").isLessThan(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> view.retime(TICK_NANOS))
                .withMessageContaining("went backwards");
    }

    @Test
    void shouldRefuseWhatIsNoLookAhead() {
        for (double ticks : new double[] {-0.1, 2.01, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Interpolation.DEFAULT.lookAhead(ticks))
                    .withMessage("a view can look 0 to 2 ticks ahead, but not " + ticks);
        }
        for (double part : new double[] {-0.1, 0, 1.01, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookAhead.ticks(1).coverQuantile(part))
                    .withMessageContaining("above 0 and at most 1, but is " + part);
        }
        for (double age : new double[] {-1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookAhead.atMostOld(age))
                    .withMessageContaining("but not " + age + " ms");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LookAhead(0, -5, 1))
                .withMessageContaining("but not -5 ns");
        Interpolation extrapolating = new Interpolation(Positions.LINEAR, Rotations.SLERP, 0.5f);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> extrapolating.lookAhead(1))
                .withMessageContaining("maxExtrapolationTicks must be 0, but is 0.5");
        PublishedWorld small = new PublishedWorld(3, LookAheadTest::cost);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(1)))
                .withMessageContaining("at least 4 snapshots, but those of this reader have 3")
                .withMessageContaining("windowSize(4)");
        FrameView.of(small.newReader(), Interpolation.DEFAULT.lookAhead(0));
    }

    @Test
    void shouldTellHowFarWhatIsDrawnIsFromTheTruth() {
        PublishedWorld world = world(LookAheadTest::cost, LookAheadTest::bounces);
        Interpolation how = Interpolation.DEFAULT.lookAhead(1);
        FrameView known = FrameView.of(world.newReader());
        FrameView young = FrameView.of(world.newReader(), how);
        PredictionError none = new PredictionError(Interpolation.DEFAULT);
        PredictionError error = new PredictionError(how);
        for (long nanos = 10 * TICK_NANOS; nanos < 610 * TICK_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            known.advance(nanos);
            young.advance(nanos);
            none.frame(known);
            error.frame(young);
        }
        assertThat(none.count()).isGreaterThan(800);
        assertThat(none.millimetres(100)).isZero();
        assertThat(none.milliradians(100)).isZero();
        assertThat(error.unknownFrames()).isZero();
        assertThat(error.count()).isGreaterThan(800);
        // It bounces every 30 ticks, and is wrong by up to the double way of a tick until that is known.
        assertThat(error.millimetres(100)).isBetween(30.0, 2100.0 * WAY_A_TICK);
        assertThat(error.largestTicks()).isBetween(1.0, 2.1);
        assertThat(error.millimetres(80)).isLessThan(0.01);
        assertThat(error.meanMillimetres()).isBetween(0.3, 3.0);
        error.reset();
        assertThat(error.count()).isZero();
        assertThat(error)
                .hasToString("PredictionError[mean 0.000 mm, p99 0.000 mm, largest 0.000 mm;"
                        + " mean 0.000 mrad, p99 0.000 mrad, largest 0.000 mrad]");
    }
}
