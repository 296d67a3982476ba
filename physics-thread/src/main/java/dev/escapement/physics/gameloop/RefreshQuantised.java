package dev.escapement.physics.gameloop;

import dev.escapement.state.time.TickRate;

/**
 * A policy that releases whole periods of the display, because a picture is shown for whole periods; the rest of a period is carried over.
 * A frame releases at most a given number of periods and skips the rest.
 *
 * <p>Belongs to one {@link FrameClock}.
 *
 * @see FrameClock
 */
public final class RefreshQuantised implements FramePolicy {

    private final TickRate refresh;
    private final int maxPeriods;
    private long countedNanos;
    private long periodsSeen;
    private long periodsReleased;
    private long skippedPeriods;

    /**
     * Creates a policy that has released nothing.
     *
     * @param refresh     the display's rate, as the device reports it
     * @param maxPeriods how many periods a frame releases at most; 4 is a floor of 15 frames a second at 60 Hz
     * @throws IllegalArgumentException if the number is not positive
     */
    public RefreshQuantised(TickRate refresh, int maxPeriods) {
        if (maxPeriods < 1) {
            throw new IllegalArgumentException(
                    "a frame must release at least 1 period, but maxPeriods is " + maxPeriods);
        }
        this.refresh = refresh;
        this.maxPeriods = maxPeriods;
    }

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        countedNanos += elapsedNanos;
        long periods = refresh.tickAt(countedNanos) - periodsSeen;
        long released = Math.min(periods, maxPeriods);
        periodsSeen += periods;
        skippedPeriods += periods - released;
        long before = periodsReleased;
        periodsReleased += released;
        return refresh.nanosAt(periodsReleased) - refresh.nanosAt(before);
    }

    /**
     * How many periods were skipped because frames were too long.
     *
     * @return periods of the display
     */
    public long skippedPeriods() {
        return skippedPeriods;
    }
}
