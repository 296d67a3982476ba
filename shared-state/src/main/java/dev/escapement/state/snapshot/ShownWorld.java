package dev.escapement.state.snapshot;

/**
 * A moment of a world: which bodies there are, and their poses, which may be blended between two ticks.
 *
 * <pre>{@code
 * queries.at(view);   // a FrameView is what its last frame shows
 * }</pre>
 *
 * <p>One thread, that of the implementation, and only until it shows another moment.
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
