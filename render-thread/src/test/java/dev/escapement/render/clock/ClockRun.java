package dev.escapement.render.clock;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.PublishedWorld;
import dev.escapement.render.ShownError;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.function.LongUnaryOperator;

/** Frames at a constant rate against a published world. */
final class ClockRun {

    final RenderClock clock = new RenderClock(Interpolation.DEFAULT);
    final SnapshotReader reader;
    final PublishedWorld world;
    private final TickRate fps;
    private long frame = 1;
    private long offsetNanos;
    long nowNanos;

    /** The lead of frames: how long before their display they are made. */
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

    /** Lets time pass without frames. */
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

    /** Makes frames of which none shows less than the previous one, nor moves further than real time at this speed, and C. */
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

    /** Of simulated time, at the moment of display. */
    long lookBehindNanos() {
        return world.timeline().simNanosAt(nowNanos + leadNanos) - clock.shownSimNanos();
    }

    long lookBehindWithoutDelay() {
        return lookBehindNanos() - TICK_NANOS - clock.interpolationDelayNanos();
    }
}
