package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

class FrameViewTest {

    private static final TickRate FPS = TickRate.hertz(144);
    private static final long ACCEPTABLE_NANOS = 20_000;

    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000 + tick * 7919 % 3_000_000);
    private final FrameView view = FrameView.of(world.newReader());

    @Test
    void shouldShowNothingBeforeThereIsAWindow() {
        assertThat(view.advance(0)).isFalse();
        assertThat(view.hasWindow()).isFalse();
        world.runUntil(4 * TICK_NANOS);
        assertThat(view.advance(4 * TICK_NANOS)).isTrue();
        assertThat(view.poses().bodyCount()).isEqualTo(1);
    }

    @Test
    void shouldDrawABodyAtConstantVelocityWithoutAnimationError() {
        AnimationError error = drawnError(false);
        assertThat(error.meanNanos()).isLessThan(ACCEPTABLE_NANOS);
    }

    /** The canary: if this passed the check above, the check would be worth nothing. */
    @Test
    void shouldCatchAReversedAlpha() {
        AnimationError error = drawnError(true);
        assertThat(error.meanNanos()).isGreaterThan(50 * ACCEPTABLE_NANOS);
    }

    @Test
    void shouldBlendTowardsTheLaterTick() {
        world.runUntil(50 * TICK_NANOS);
        view.advance(50 * TICK_NANOS);
        assertThat(view.alpha()).isBetween(0f, 1f);
        assertThat(view.poses().block(0).px[0]).isEqualTo(view.shownTick() + view.alpha());
    }

    /** The error of the drawn position, which moves one metre a tick, over 20 s after the first 8. */
    private AnimationError drawnError(boolean reversedAlpha) {
        AnimationError error = new AnimationError();
        PoseBlocks reversed = new PoseBlocks(1);
        for (long frame = 1; FPS.nanosAt(frame) < 28_000_000_000L; frame++) {
            long nanos = FPS.nanosAt(frame);
            world.runUntil(nanos);
            if (!view.advance(nanos) || nanos < 8_000_000_000L) {
                continue;
            }
            PoseBlocks drawn = view.poses();
            if (reversedAlpha) {
                int index = (int) (view.shownTick() - view.window().oldestTick());
                new Interpolator()
                        .interpolate(
                                view.window().snapshot(index).poses(),
                                view.window().snapshot(index + 1).poses(),
                                1 - view.alpha(),
                                reversed);
                drawn = reversed;
            }
            long drawnNanos = (long) (drawn.block(0).px[0] * (double) TICK_NANOS);
            error.frame(drawnNanos, world.timeline(), nanos);
        }
        return error;
    }
}
