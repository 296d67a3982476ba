package dev.escapement.physics.gameloop;

import dev.escapement.state.time.TickRate;

/**
 * A policy of one tick per frame, independent of real time. The speed of simulated time depends on how long frames take; the states do not.
 * If something, such as the display's refresh, makes each frame last a tick, the speed is right as long as frames are not longer.
 *
 * @param rate the rate of the ticks
 * @see FrameClock
 */
public record FrameLocked(TickRate rate) implements FramePolicy {

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        return rate.nanosAt(rate.tickAt(releasedNanos) + 1) - releasedNanos;
    }
}
