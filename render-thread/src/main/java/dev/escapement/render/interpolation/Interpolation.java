package dev.escapement.render.interpolation;

/**
 * Settings of a view: how far it looks ahead, and how long errors fade.
 *
 * <p>Between ticks, positions follow a straight line and rotations the arc, both at constant speed (lerp and slerp).
 *
 * <pre>{@code
 * FrameView even = FrameView.of(reader);
 * FrameView ahead = FrameView.of(another, Interpolation.DEFAULT.lookAhead(1)); // about a tick younger
 * }</pre>
 *
 * <p>A look-ahead makes the picture younger, at the price of prediction errors where bodies change their velocity:
 *
 * <pre>shown(t) = simNow(t - C) - h + ticksAhead h</pre>
 *
 * The shown moment is at most {@value #MAX_TICKS_AHEAD} ticks later than the newest known tick, and not later than simNow(t). {@code
 * RenderClock} defines C and h. While a snapshot is missing, the view extrapolates further. It extrapolates
 * positions at the mean velocity of the last tick, rotations by the rotation in that tick. The error of a wrong prediction fades within a
 * quarter of a tick.
 *
 * @param ticksAhead how many ticks younger than without a look-ahead, 0 to {@value #MAX_TICKS_AHEAD}
 * @param fadeNanos  how long the error of a displayed pose fades after a re-simulation with late input; 0 to jump
 */
public record Interpolation(double ticksAhead, long fadeNanos) {

    /** A view looks at most this many ticks ahead. */
    public static final int MAX_TICKS_AHEAD = 2;

    /** The smallest window of a view that looks ahead, in snapshots. */
    public static final int MIN_SNAPSHOTS = 4;

    private static final long FADE_NANOS = 100_000_000;

    /** No look-ahead. Errors fade in 100 ms. */
    public static final Interpolation DEFAULT = new Interpolation(0, FADE_NANOS);

    /**
     * Checks the values.
     *
     * @param ticksAhead 0 to {@value #MAX_TICKS_AHEAD}
     * @param fadeNanos  0 or more
     * @throws IllegalArgumentException if one is outside of its range
     */
    public Interpolation {
        if (!(ticksAhead >= 0 && ticksAhead <= MAX_TICKS_AHEAD)) {
            throw new IllegalArgumentException(
                    "a view can look 0 to " + MAX_TICKS_AHEAD + " ticks ahead, but not " + ticksAhead);
        }
        if (fadeNanos < 0) {
            throw new IllegalArgumentException("an error must fade in 0 ns or more, but not in " + fadeNanos + " ns");
        }
    }

    /**
     * Looks a number of ticks ahead. Needs windows of at least {@value #MIN_SNAPSHOTS} snapshots.
     *
     * @param ticks 0 to {@value #MAX_TICKS_AHEAD}; 1 makes the picture about a tick younger
     * @return a copy with that look-ahead
     * @throws IllegalArgumentException if the number is outside of its range
     */
    public Interpolation lookAhead(double ticks) {
        return new Interpolation(ticks, fadeNanos);
    }

    /**
     * Sets how long the error of a displayed pose fades after a re-simulation with late input. An error jumps if its tick has left the
     * window more than eight ticks before the next frame, as with windows of three snapshots at 100 Hz below 9 frames a second.
     *
     * @param milliseconds until the error is gone; 0 to jump
     * @return a copy with that time
     * @throws IllegalArgumentException if the time is negative, or no number
     */
    public Interpolation fadeWithin(double milliseconds) {
        if (!(milliseconds >= 0)) {
            throw new IllegalArgumentException(
                    "an error must fade in 0 ms or more, but not in " + milliseconds + " ms");
        }
        return new Interpolation(ticksAhead, Math.round(milliseconds * 1e6));
    }

    /** {@return true if the view predicts; false if it shows only known ticks} */
    public boolean predicts() {
        return ticksAhead > 0;
    }
}
