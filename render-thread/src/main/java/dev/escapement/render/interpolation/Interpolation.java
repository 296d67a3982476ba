package dev.escapement.render.interpolation;

import dev.escapement.render.clock.LookAhead;
import java.util.Objects;

/**
 * How to interpolate between ticks, and whether to look ahead of the newest known tick. Rotations follow the arc at constant speed (slerp).
 *
 * <pre>{@code
 * FrameView even = FrameView.of(reader);
 * FrameView ahead = FrameView.of(another, Interpolation.DEFAULT.lookAhead(1)); // about a tick younger
 * }</pre>
 *
 * @param positions the path of a position
 * @param lookAhead how much younger the picture is than what is known, by prediction
 * @see dev.escapement.render.FrameView
 */
public record Interpolation(Positions positions, LookAhead lookAhead) {

    /** Linear positions, no look-ahead. */
    public static final Interpolation DEFAULT = new Interpolation(Positions.LINEAR, LookAhead.NONE);

    /** The path of a position between two ticks. */
    public enum Positions {
        /** A straight line. */
        LINEAR,
        /** A cubic Hermite curve if the layout of the snapshots has tangents, otherwise a straight line. */
        HERMITE
    }

    /**
     * Checks that neither is null.
     *
     * @param positions the path of a position
     * @param lookAhead how much younger the picture is than what is known
     */
    public Interpolation {
        Objects.requireNonNull(positions, "positions must not be null; Positions.LINEAR is usual");
        Objects.requireNonNull(lookAhead, "lookAhead must not be null; LookAhead.NONE shows what is known");
    }

    /**
     * Shows the world some ticks later than what is known. Positions are extrapolated at the mean velocity of the last tick; with
     * {@link Positions#HERMITE} and snapshots that have velocities, at those. Rotations are extrapolated by their turn in the last tick.
     * When a prediction was wrong, its error fades within a quarter of a tick. Needs windows of at least 4 snapshots.
     *
     * @param ticks 0 to {@value LookAhead#MAX_TICKS}; 1 makes the picture about a tick younger
     * @return a copy with that look-ahead
     * @throws IllegalArgumentException if the number is outside of its range
     */
    public Interpolation lookAhead(double ticks) {
        return lookAhead(LookAhead.ticks(ticks));
    }

    /**
     * Shows the world later than what is known, as {@link #lookAhead(double)} does, by a number of ticks or up to an age.
     *
     * @param ahead how much younger the picture is than what is known
     * @return a copy with that look-ahead
     */
    public Interpolation lookAhead(LookAhead ahead) {
        return new Interpolation(positions, ahead);
    }
}
