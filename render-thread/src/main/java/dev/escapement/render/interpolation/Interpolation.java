package dev.escapement.render.interpolation;

import dev.escapement.render.clock.LookAhead;
import java.util.Objects;

/**
 * How to interpolate between ticks, and whether to show more than what is known.
 *
 * <pre>{@code
 * FrameView even = FrameView.of(reader);
 * FrameView young = FrameView.of(another, Interpolation.DEFAULT.lookAhead(1)); // about a tick younger
 * }</pre>
 *
 * @param positions             the path of a position
 * @param rotations             the path of a rotation
 * @param maxExtrapolationTicks how far to extrapolate beyond the newest snapshot when the next one is late, 0 to 1 tick
 * @param lookAhead             how much younger the picture is than what is known, by prediction
 * @see dev.escapement.render.FrameView
 */
public record Interpolation(
        Positions positions, Rotations rotations, float maxExtrapolationTicks, LookAhead lookAhead) {

    /** Linear positions and slerp, without extrapolation. */
    public static final Interpolation DEFAULT = new Interpolation(Positions.LINEAR, Rotations.SLERP, 0);

    /** The path of a position between two ticks. */
    public enum Positions {
        /** A straight line. */
        LINEAR,
        /** A cubic Hermite curve if the layout of the snapshots has tangents, otherwise a straight line. */
        HERMITE
    }

    /** The path of a rotation between two ticks. */
    public enum Rotations {
        /** Spherical linear interpolation: along the arc at constant speed. */
        SLERP,
        /** Normalised linear interpolation: along the arc, a little slower at its ends. Cheaper, and hardly visible for small turns. */
        NLERP
    }

    /**
     * Checks the bound.
     *
     * @param positions             the path of a position
     * @param rotations             the path of a rotation
     * @param maxExtrapolationTicks 0 to 1
     * @param lookAhead             how much younger the picture is than what is known
     * @throws IllegalArgumentException if the bound is not within 0 and 1, or not 0 although the look-ahead predicts
     */
    public Interpolation {
        if (!(maxExtrapolationTicks >= 0 && maxExtrapolationTicks <= 1)) {
            throw new IllegalArgumentException(
                    "maxExtrapolationTicks must be within 0 and 1, but is " + maxExtrapolationTicks);
        }
        Objects.requireNonNull(lookAhead, "lookAhead must not be null; LookAhead.NONE shows what is known");
        if (maxExtrapolationTicks > 0 && lookAhead.predicts()) {
            throw new IllegalArgumentException(
                    "a view that looks ahead predicts in each frame, so maxExtrapolationTicks must be 0, but is "
                            + maxExtrapolationTicks + " with " + lookAhead);
        }
    }

    /**
     * Without a look-ahead.
     *
     * @param positions             the path of a position
     * @param rotations             the path of a rotation
     * @param maxExtrapolationTicks 0 to 1
     * @throws IllegalArgumentException if the bound is not within 0 and 1
     */
    public Interpolation(Positions positions, Rotations rotations, float maxExtrapolationTicks) {
        this(positions, rotations, maxExtrapolationTicks, LookAhead.NONE);
    }

    /**
     * Shows the world some ticks later than what is known. Positions go on at the velocity of the last tick; with {@link Positions#HERMITE}
     * and snapshots that have velocities, at those. Rotations go on as they turned in the last tick. When a body goes another way, the
     * difference fades within a quarter of a tick. Needs windows of at least 4 snapshots.
     *
     * @param ticks 0 to {@value LookAhead#MOST_TICKS}; 1 makes the picture about a tick younger
     * @return a copy that looks so far ahead
     * @throws IllegalArgumentException if the number is outside of its range
     */
    public Interpolation lookAhead(double ticks) {
        return lookAhead(LookAhead.ticks(ticks));
    }

    /**
     * The same, for an age or a part of the publish delays.
     *
     * @param ahead how much younger the picture is than what is known
     * @return a copy that looks so far ahead
     */
    public Interpolation lookAhead(LookAhead ahead) {
        return new Interpolation(positions, rotations, maxExtrapolationTicks, ahead);
    }
}
