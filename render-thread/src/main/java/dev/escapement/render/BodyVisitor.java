package dev.escapement.render;

/**
 * Receives the bodies that appeared and vanished, so that a renderer can add and remove its objects.
 *
 * @see FrameView#changes
 */
public interface BodyVisitor {

    /**
     * Called for a body that appeared.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the application's own number, which the body was spawned with
     */
    void appeared(long bodyId, long userData);

    /**
     * Called for a body that vanished, and had appeared before.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the number that {@link #appeared} received for this body
     */
    void vanished(long bodyId, long userData);
}
