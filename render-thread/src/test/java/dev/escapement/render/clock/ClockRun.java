package dev.escapement.render.clock;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.PublishedWorld;
import dev.escapement.render.ShownError;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.function.LongUnaryOperator;

/** Makes frames at a constant rate of a published world. */
final class ClockRun {

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

    /** Advances the time without frames. */
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

    /** Makes frames and checks that none goes back, and that none moves faster than {@code speed} plus the 2 % by which C may change. */
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

    long lookBehindWithoutDelay() {
        return lookBehindNanos() - TICK_NANOS - clock.interpolationDelayNanos();
    }
}
