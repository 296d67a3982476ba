package dev.escapement.state.snapshot;

/**
 * A moment of a world: its bodies and their poses, which may be blended between two ticks.
 *
 * <pre>{@code
 * queries.at(view);   // the moment that the last frame of a FrameView shows
 * }</pre>
 *
 * <p>Only the implementation's thread may call this. Results are valid until it shows another moment.
 */
public interface ShownWorld {

    /**
     * {@return the snapshot whose bodies and origin apply at the moment}
     *
     * @throws IllegalStateException if there is nothing to show
     */
    Snapshot shown();

    /**
     * {@return the poses of the bodies of {@link #shown()}, metres from its origin}
     *
     * @throws IllegalStateException if there is nothing to show
     */
    PoseBlocks poses();
}
