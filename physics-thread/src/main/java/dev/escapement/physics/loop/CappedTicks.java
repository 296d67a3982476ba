package dev.escapement.physics.loop;

import dev.escapement.state.time.TickRate;

/**
 * Real time, but never more than a number of ticks at once: what is beyond is gone. A 1 s stall at 120 Hz with 8 ticks, which is
 * a floor of 15 frames a second, costs 7/8 s or so and no storm.
 *
 * <p>Peers in a network must not lose ticks: they use {@link Accumulator#WITHOUT_LOSS}.
 *
 * @param rate     the rate of the ticks
 * @param mostTicks how many ticks a frame runs at most, at least 1
 * @see FrameClock
 */
public record CappedTicks(TickRate rate, int mostTicks) implements FramePolicy {

    /**
     * Checks the number.
     *
     * @param rate      the rate of the ticks
     * @param mostTicks how many ticks a frame runs at most
     * @throws IllegalArgumentException if it is not positive
     */
    public CappedTicks {
        if (mostTicks < 1) {
            throw new IllegalArgumentException("a frame must run at least 1 tick, but mostTicks is " + mostTicks);
        }
    }

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        long mostNanos = rate.nanosAt(rate.tickAt(releasedNanos) + mostTicks) - releasedNanos;
        return Math.min(elapsedNanos, mostNanos);
    }
}
