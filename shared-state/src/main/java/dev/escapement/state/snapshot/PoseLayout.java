package dev.escapement.state.snapshot;

import java.util.List;

/**
 * The components of a pose besides position and rotation. The layout is the same for all snapshots of an exchange.
 *
 * <pre>{@code
 * new PoseLayout(List.of(new Channel("wheel", Channel.Blending.ANGLE)))
 * }</pre>
 *
 * @param channels additional floats per body, identified by their index in this list
 */
public record PoseLayout(List<Channel> channels) {

    /** Position and rotation, nothing else. */
    public static final PoseLayout PLAIN = new PoseLayout(List.of());

    /**
     * Copies the list.
     *
     * @param channels additional floats per body
     */
    public PoseLayout {
        channels = List.copyOf(channels);
    }
}
