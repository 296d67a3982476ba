package dev.escapement.physics.gameloop;

import dev.escapement.state.time.TickRate;

/**
 * A policy that follows real time, but releases a bounded number of ticks per frame and skips the rest. With 8 ticks at 120 Hz, which is a
 * floor of 15 frames a second, a stall of 1 s loses about 7/8 s, and no burst of ticks follows.
 *
 * <p>Peers in a network must not lose ticks: they use {@link Accumulator#WITHOUT_LOSS}.
 *
 * @param rate      the rate of the ticks
 * @param maxTicks how many ticks a frame runs at most, at least 1
 * @see FrameClock
 */
public record CappedTicks(TickRate rate, int maxTicks) implements FramePolicy {

    /**
     * Checks the number.
     *
     * @param rate      the rate of the ticks
     * @param maxTicks how many ticks a frame runs at most
     * @throws IllegalArgumentException if it is not positive
     */
    public CappedTicks {
        if (maxTicks < 1) {
            throw new IllegalArgumentException("a frame must run at least 1 tick, but maxTicks is " + maxTicks);
        }
    }

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        long maxNanos = rate.nanosAt(rate.tickAt(releasedNanos) + maxTicks) - releasedNanos;
        return Math.min(elapsedNanos, maxNanos);
    }
}
