package dev.escapement.render.clock;

import java.util.Locale;

/**
 * How far a view looks ahead: how much younger its picture is than one without look-ahead, at the price of prediction errors where bodies
 * change their velocity.
 *
 * <pre>shown(t) = simNow(t - C) - h + ticks h</pre>
 *
 * or later, if the picture must not be older than a bound; C and h as in {@link RenderClock}. The moment shown is at most
 * {@value #MAX_TICKS} ticks later than what is known, and not later than simNow(t). Where a snapshot is missing, it is extrapolated
 * further.
 *
 * <pre>{@code
 * FrameView.of(reader, Interpolation.DEFAULT.lookAhead(LookAhead.ticks(1)));
 * }</pre>
 *
 * @param ticks          how many ticks younger than without look-ahead, 0 to {@value #MAX_TICKS}
 * @param atMostOldNanos how old the picture may be when it is displayed, {@link #ANY_AGE} for no bound
 * @see dev.escapement.render.interpolation.Interpolation
 */
public record LookAhead(double ticks, long atMostOldNanos) {

    /** A view looks at most this many ticks ahead. */
    public static final int MAX_TICKS = 2;

    /** Stands for no bound of the age. */
    public static final long ANY_AGE = Long.MAX_VALUE;

    /** No look-ahead: shows only what is known. */
    public static final LookAhead NONE = new LookAhead(0, ANY_AGE);

    /** The smallest windows of views that look ahead. */
    public static final int LEAST_SNAPSHOTS = 4;

    private static final double NANOS_A_MILLISECOND = 1e6;

    /**
     * Checks the values.
     *
     * @param ticks          0 to {@value #MAX_TICKS}
     * @param atMostOldNanos 0 or more
     * @throws IllegalArgumentException if one is outside of its range
     */
    public LookAhead {
        if (!(ticks >= 0 && ticks <= MAX_TICKS)) {
            throw new IllegalArgumentException("a view can look 0 to " + MAX_TICKS + " ticks ahead, but not " + ticks);
        }
        if (atMostOldNanos < 0) {
            throw new IllegalArgumentException(
                    "the greatest age of a picture must be 0 ns or more, but is " + atMostOldNanos + " ns");
        }
    }

    /**
     * Looks a number of ticks ahead.
     *
     * @param ticks 0 to {@value #MAX_TICKS}; 1 is about a tick younger than without
     * @return a look-ahead by that number of ticks
     * @throws IllegalArgumentException if the number is outside of its range
     */
    public static LookAhead ticks(double ticks) {
        return new LookAhead(ticks, ANY_AGE);
    }

    /**
     * Looks ahead as far as an age needs.
     *
     * @param milliseconds how old the picture may be when it is displayed; older if that takes more than {@value #MAX_TICKS} ticks
     * @return a look-ahead by that age alone
     * @throws IllegalArgumentException if the age is negative, or no number
     */
    public static LookAhead atMostOld(double milliseconds) {
        if (!(milliseconds >= 0)) {
            throw new IllegalArgumentException(
                    "the greatest age of a picture must be 0 ms or more, but is " + milliseconds + " ms");
        }
        return new LookAhead(0, Math.round(milliseconds * NANOS_A_MILLISECOND));
    }

    /**
     * Whether anything is predicted.
     *
     * @return false if only what is known is shown
     */
    public boolean predicts() {
        return ticks > 0 || atMostOldNanos < ANY_AGE;
    }

    /**
     * Refuses windows that are too small to look ahead: a frame lies between two snapshots, needs the one before them, and a newer one may
     * be in the window already.
     *
     * @param snapshots how many a window has
     * @throws IllegalArgumentException if this predicts, and a window has less than {@value #LEAST_SNAPSHOTS}
     */
    public void requireWindows(int snapshots) {
        if (predicts() && snapshots < LEAST_SNAPSHOTS) {
            throw new IllegalArgumentException("a view that looks ahead needs windows of at least " + LEAST_SNAPSHOTS
                    + " snapshots, but those of this reader have " + snapshots + "; build the service with windowSize("
                    + LEAST_SNAPSHOTS + ")");
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "LookAhead[%.3g ticks, %s]",
                ticks,
                atMostOldNanos == ANY_AGE ? "any age" : "at most " + atMostOldNanos / NANOS_A_MILLISECOND + " ms old");
    }
}
