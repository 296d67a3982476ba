package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.interpolation.Interpolation;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The moment that a view with look-ahead shows, also when time is paused, skipped or changes its speed. */
class LookAheadClockTest {

    /**
     * A tick takes longer than any before, when the body has just turned: the picture moves on, then the known moment catches up twice as
     * fast.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1})
    void shouldResumeWithoutAJumpThroughALateTick(double ticks) {
        PublishedWorld world =
                LookAheadTest.world(tick -> tick == 271 ? 9_800_000 : LookAheadTest.cost(tick), LookAheadTest::bounces);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        double wrong = LookAheadTest.WAY_A_TICK * (2 + ticks);
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
                assertThat(Math.abs(x - before)).as("at %s", view).isLessThan(2 * (2 * wrong * 1.5 / 25));
                assertThat(shown - shownBefore).as("at %s", view).isBetween(90_000L, 110_000L);
            }
        }
        assertThat(view.clock().holds()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 3, 8, 12, 50})
    void shouldBeNoOlderThanAsked(double milliseconds) {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.atMostOld(milliseconds));
        for (long nanos = 10 * TICK_NANOS; nanos < 1500 * TICK_NANOS; nanos += LookAheadTest.FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos);
            double age = (world.timeline().simNanosAt(nanos) - view.clock().shownSimNanos()) / 1e6;
            double delay = view.clock().interpolationDelayNanos() / 1e6;
            double expected = Math.max(0, Math.max(delay + 10 - 20, Math.min(delay + 10, milliseconds)));
            assertThat(age).isCloseTo(expected, within(2e-3));
        }
    }

    @Test
    void shouldMoveAFrameToWhenItIsDrawn() {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, LookAheadTest::straight);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(1));
        view.retime(TICK_NANOS); // there is no frame yet
        for (long nanos = 10 * TICK_NANOS; nanos < 900 * TICK_NANOS; nanos += LookAheadTest.FRAME_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos, nanos);
            long newest = view.window().newestTick();
            long shown = view.clock().shownSimNanos();
            float x = view.positionOfSlot(0, new Vector3f()).x;
            world.runUntil(nanos + 3_000_000);
            view.retime(nanos + 3_000_000);
            assertThat(view.window().newestTick()).isEqualTo(newest);
            assertThat(view.clock().displayNanos()).isEqualTo(nanos + 3_000_000);
            if (nanos > 500 * TICK_NANOS) {
                assertThat(view.clock().shownSimNanos() - shown).isEqualTo(3_000_000);
                assertThat(view.positionOfSlot(0, new Vector3f()).x - x).isCloseTo(0.3f, within(2e-4f));
            }
        }
        assertThat(view.clock().holds()).as("the delay has learned it").isLessThan(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> view.retime(TICK_NANOS))
                .withMessageContaining("went backwards");
    }

    /** Ticks that were predicted in the last frames before a pause are known soon after, and shown. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void shouldShowTheTruthInAPause(double ticks) {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, (tick, poses) -> {
            poses.bodyCount(1);
            poses.set(0, tick < 300 ? tick : 598f - tick, 0, 0, 0, 0, 0, 1); // turns at tick 299
        });
        world.pauseAfter(300, 200 * TICK_NANOS);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(ticks));
        double x = Double.NaN;
        double moment = 0;
        for (long nanos = 290 * TICK_NANOS; nanos < 400 * TICK_NANOS; nanos += TICK_NANOS / 20) {
            world.runUntil(nanos);
            view.advance(nanos);
            double before = x;
            x = view.positionOfSlot(0, new Vector3f()).x;
            moment = (double) view.clock().shownSimNanos() / TICK_NANOS;
            if (nanos > 291 * TICK_NANOS) {
                assertThat(Math.abs(x - before)).as("at %s", moment).isLessThan(0.5 * (1 + ticks));
            }
        }
        assertThat(moment).as("it is known late that time stands still").isLessThan(300.5);
        assertThat(x).isCloseTo(moment < 299 ? moment : 598 - moment, within(1e-3));
    }

    /** Frames show a time that the clock stood still for, before they learn of the pause. */
    @Test
    void shouldNotGoBackWhenItLearnsOfAPause() {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, LookAheadTest::straight);
        world.pauseAfter(300, 200 * TICK_NANOS);
        FrameView view = FrameView.of(world.newReader(), Interpolation.DEFAULT.lookAhead(2));
        long shownNanos = 0;
        for (long nanos = 290 * TICK_NANOS; nanos < 400 * TICK_NANOS; nanos += TICK_NANOS / 20) {
            world.runUntil(nanos);
            view.advance(nanos);
            assertThat(view.clock().shownSimNanos()).isGreaterThanOrEqualTo(shownNanos);
            shownNanos = view.clock().shownSimNanos();
        }
    }

    @Test
    void shouldLearnTheLeadOfFramesThatAreMoved() {
        PublishedWorld world = new PublishedWorld(3, LookAheadTest::cost);
        FrameView view = FrameView.of(world.newReader());
        long holds = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < 2500 * TICK_NANOS; nanos += 2 * TICK_NANOS) {
            world.runUntil(nanos);
            view.advance(nanos); // sometimes before the instant of the last retime
            view.retime(nanos + 16_000_000);
            holds = nanos < 1500 * TICK_NANOS ? view.clock().holds() : holds;
        }
        assertThat(view.clock().holds()).isEqualTo(holds);
        assertThat(view.clock().interpolationDelayNanos()).isGreaterThan(16_000_000);
        long last = 2500 * TICK_NANOS;
        view.retime(last + 30_000_000);
        assertThat(view.advance(last + 10_000_000)).as("not before that").isTrue();
        assertThat(view.clock().displayNanos()).isEqualTo(last + 30_000_000);
    }
}
