package dev.escapement.render.interpolation;

/**
 * How to interpolate between ticks.
 *
 * @param positions             the path of a position
 * @param rotations             the path of a rotation
 * @param maxExtrapolationTicks how far to extrapolate beyond the newest snapshot when the next one is late, 0 to 1 tick
 * @see dev.escapement.render.FrameView
 */
public record Interpolation(Positions positions, Rotations rotations, float maxExtrapolationTicks) {

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
     * @throws IllegalArgumentException if the bound is not within 0 and 1
     */
    public Interpolation {
        if (!(maxExtrapolationTicks >= 0 && maxExtrapolationTicks <= 1)) {
            throw new IllegalArgumentException(
                    "maxExtrapolationTicks must be within 0 and 1, but is " + maxExtrapolationTicks);
        }
    }
}
