package dev.escapement.physics.loop;

import dev.escapement.state.time.TickRate;

/**
 * One tick a frame, independent of real time: simulated speed is frame rate times tick. The states do not depend on how long
 * frames take; the speed does. With a limiter that waits until a tick's time has passed, as the display's refresh does, the
 * speed is right as long as frames are shorter than ticks.
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
