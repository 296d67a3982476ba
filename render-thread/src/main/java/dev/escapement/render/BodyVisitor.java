package dev.escapement.render;

/**
 * Is told which bodies appeared and vanished, so that a renderer's objects can follow.
 *
 * @see FrameView#changes
 */
public interface BodyVisitor {

    /**
     * A body is there that was not before.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the user's own number, as given when it was spawned
     */
    void appeared(long bodyId, long userData);

    /**
     * A body that had appeared is gone.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the user's own number, as told when it appeared
     */
    void vanished(long bodyId, long userData);
}
