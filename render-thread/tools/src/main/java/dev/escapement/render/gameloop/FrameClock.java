package dev.escapement.render.gameloop;

import dev.escapement.state.time.NanoClock;
import java.util.Objects;

/**
 * The clock of a game loop: time passes only from frame to frame, as much as a policy releases.
 *
 * <p>A driver with this clock runs the ticks in the released time. The rest, less than a tick, is the alpha with which a frame blends the
 * last two ticks.
 *
 * <pre>{@code
 * FrameClock clock = new FrameClock(NanoClock.system(), new Accumulator(250_000_000));
 * InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
 * FrameView view = FrameView.inline(driver.newReader());
 * while (playing) {
 *     clock.beginFrame();
 *     driver.runDueTicks();
 *     view.advance(clock.nanoTime());
 * }
 * }</pre>
 *
 * <p>One thread.
 */
public final class FrameClock implements NanoClock {

    private final NanoClock real;
    private final FramePolicy policy;
    private long previousRealNanos;
    private long releasedNanos;
    private boolean started;

    /**
     * Creates a clock that starts at 0.
     *
     * @param real   the clock that measures the frames
     * @param policy decides how much time passes per frame
     */
    public FrameClock(NanoClock real, FramePolicy policy) {
        this.real = Objects.requireNonNull(
                real, "a frame clock needs a clock that measures frames; the usual is NanoClock.system()");
        this.policy = Objects.requireNonNull(
                policy, "a frame clock needs a policy; the usual is new Accumulator(250_000_000)");
    }

    /**
     * Starts a frame: releases as much of the time since the last call as the policy decides.
     *
     * @throws IllegalStateException if the real clock went backwards, or the policy returns a negative time
     */
    public void beginFrame() {
        long now = real.nanoTime();
        long frameNanos = started ? now - previousRealNanos : 0;
        if (frameNanos < 0) {
            throw new IllegalStateException("the clock went backwards by " + -frameNanos + " ns between two frames");
        }
        long released = policy.release(releasedNanos, frameNanos);
        if (released < 0) {
            throw new IllegalStateException(
                    policy + " wants time to go back by " + -released + " ns after a frame of " + frameNanos + " ns");
        }
        previousRealNanos = now;
        releasedNanos += released;
        started = true;
    }

    /** Returns the sum of the released time, in nanoseconds. It stays the same within a frame. */
    @Override
    public long nanoTime() {
        return releasedNanos;
    }
}
