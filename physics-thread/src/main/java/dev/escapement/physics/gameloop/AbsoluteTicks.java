package dev.escapement.physics.gameloop;

import dev.escapement.state.time.TickRate;

/**
 * A policy that follows real time, with a maximum of ticks per frame: a frame that is too long runs the maximum and leaves exactly one
 * tick due, so that it shows the end of the last tick: alpha is 1 and not more. Run the ticks with
 * {@link dev.escapement.physics.InlineDriver#runDueTicks(int)} and the same bound.
 *
 * <p>Belongs to one {@link FrameClock}.
 *
 * @see FrameClock
 */
public final class AbsoluteTicks implements FramePolicy {

    private final TickRate rate;
    private final int maxTicks;
    private long ticksRun;

    /**
     * Creates a policy for a driver that has run nothing.
     *
     * @param rate      the rate of the ticks
     * @param maxTicks how many ticks a frame runs at most
     * @throws IllegalArgumentException if the number is not positive
     */
    public AbsoluteTicks(TickRate rate, int maxTicks) {
        if (maxTicks < 1) {
            throw new IllegalArgumentException("a frame must run at least 1 tick, but maxTicks is " + maxTicks);
        }
        this.rate = rate;
        this.maxTicks = maxTicks;
    }

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        ticksRun = Math.min(rate.tickAt(releasedNanos), ticksRun + maxTicks);
        return Math.min(elapsedNanos, rate.nanosAt(ticksRun + maxTicks + 1) - releasedNanos);
    }
}
