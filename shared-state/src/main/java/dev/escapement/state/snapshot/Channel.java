package dev.escapement.state.snapshot;

/**
 * A float of the user's own that every body has and that is shown as smoothly as its pose: a wheel's spin, a blend weight.
 *
 * @param name     what the user calls it
 * @param blending how it goes from tick to tick
 * @see PoseLayout
 */
public record Channel(String name, Blending blending) {

    /** How a channel goes from one tick to the next. */
    public enum Blending {
        /** Not at all: the value of the earlier tick until the later one. */
        STEP,
        /** Along a line. */
        LINEAR,
        /** Radians, the shorter way round. */
        ANGLE
    }
}
