package dev.escapement.state.snapshot;

/**
 * An additional float per body that is interpolated like its pose: a wheel's spin, for example, or a blend weight.
 *
 * @param name     the name of the channel
 * @param blending how values between two ticks are computed
 * @see PoseLayout
 */
public record Channel(String name, Blending blending) {

    /** The computation of a channel's values between two ticks. */
    public enum Blending {
        /** Not blended: the value of the earlier tick until the later one. */
        STEP,
        /** Linear interpolation. */
        LINEAR,
        /** An angle in radians, interpolated along the shorter arc. */
        ANGLE
    }
}
