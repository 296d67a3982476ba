package dev.escapement.render.clock;

import java.util.Locale;

/**
 * How far a view looks ahead: how much younger its picture is than one that shows only what is known, at the price of an error of position
 * where bodies do not go on as they went.
 *
 * <pre>shown(t) = simNow(t - C) - h + ticks h</pre>
 *
 * or later, if the picture must not be older than a bound. It is never more than {@value #MAX_TICKS} ticks later than what is known, and never later than it is. Where a snapshot is missing, it predicts further.
 *
 * <pre>{@code
 * FrameView.of(reader, Interpolation.DEFAULT.lookAhead(LookAhead.ticks(1)));
 * }</pre>
 *
 * @param ticks          how many ticks younger than what is known, 0 to {@value #MAX_TICKS}
 * @param atMostOldNanos how old the picture may be when it is displayed, {@link #ANY_AGE} for no bound
 * @see dev.escapement.render.interpolation.Interpolation
 */
public record LookAhead(double ticks, long atMostOldNanos) {

    /** The most ticks that a view looks ahead. */
    public static final int MAX_TICKS = 2;

    /** Stands for no bound of the age. */
    public static final long ANY_AGE = Long.MAX_VALUE;

    /** Shows only what is known. */
    public static final LookAhead NONE = new LookAhead(0, ANY_AGE);

    /** The least windows of views that look ahead. */
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
                    "a picture can be at most 0 ns old or more, but not " + atMostOldNanos + " ns");
        }
    }

    /**
     * Looks a number of ticks ahead.
     *
     * @param ticks 0 to {@value #MAX_TICKS}; 1 is about a tick younger than without
     * @return a look-ahead of this many ticks
     * @throws IllegalArgumentException if the number is outside of its range
     */
    public static LookAhead ticks(double ticks) {
        return new LookAhead(ticks, ANY_AGE);
    }

    /**
     * Looks ahead as far as an age needs.
     *
     * @param milliseconds how old the picture may be when it is displayed; older if that takes more than {@value #MAX_TICKS} ticks
     * @return a look-ahead without other ticks
     * @throws IllegalArgumentException if the age is negative, or no number
     */
    public static LookAhead atMostOld(double milliseconds) {
        if (!(milliseconds >= 0)) {
            throw new IllegalArgumentException(
                    "a picture can be at most 0 ms old or more, but not " + milliseconds + " ms");
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
     * Refuses windows that are too small to look ahead: a frame lies between two snapshots, needs the one before them, and does not need the
     * one that may be published already.
     *
     * @param snapshots how many a window has
     * @throws IllegalArgumentException if this predicts, and that are less than {@value #LEAST_SNAPSHOTS}
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
