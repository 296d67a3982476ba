package dev.escapement.state.snapshot;

import java.util.List;

/**
 * What a pose consists of besides position and rotation. The same for all bodies and all snapshots of an exchange.
 *
 * <pre>{@code
 * new PoseLayout(Tangents.DERIVED, List.of(new Channel("wheel", Channel.Blending.ANGLE)))
 * }</pre>
 *
 * @param tangents where the velocities for smooth curves come from
 * @param channels additional floats per body, identified by their index in this list
 */
public record PoseLayout(Tangents tangents, List<Channel> channels) {

    /** Position and rotation, nothing else. */
    public static final PoseLayout PLAIN = new PoseLayout(Tangents.NONE, List.of());

    /** Where the velocity at each tick comes from. It is the tangent of a cubic Hermite curve through the positions. */
    public enum Tangents {
        /** No velocities: positions are interpolated linearly. */
        NONE,
        /**
         * Derived from the positions, for engines that step by semi-implicit Euler: their velocities belong between the ticks, and curves
         * with them would ripple.
         */
        DERIVED
    }

    /**
     * Copies the list.
     *
     * @param tangents where the velocities come from
     * @param channels additional floats per body
     */
    public PoseLayout {
        channels = List.copyOf(channels);
    }

    /** {@return whether poses have velocities, so that {@link MotionBlock#vx} and its like have values} */
    public boolean hasTangents() {
        return tangents != Tangents.NONE;
    }
}
