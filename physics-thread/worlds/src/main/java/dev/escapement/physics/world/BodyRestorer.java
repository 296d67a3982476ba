package dev.escapement.physics.world;

/**
 * Restores the set of bodies of a saved state: puts back bodies that were removed since the save, and removes bodies that were added since.
 * A game implements this, because a saved state contains poses and velocities, but no shapes.
 *
 * <pre>{@code
 * simulation.restoreBodiesWith(new BodyRestorer<Body>() {
 *     public Body restore(long engineId, long userData) {
 *         return yard.addCrateAgain(engineId, userData);
 *     }
 *
 *     public void remove(Body body, long userData) {
 *         yard.takeAway(body);
 *     }
 * });
 * }</pre>
 *
 * <p>The thread that restores calls this, which is the physics thread once the service has started. All calls of {@code remove} come before
 * the first call of {@code restore}.
 *
 * @param <B> the engine's bodies
 */
public interface BodyRestorer<B> {

    /**
     * Puts a body back into the world. The caller then sets its pose and velocities, and attaches it.
     *
     * @param engineId the id that the body had in the engine and must have again; some simulations prepare the engine so that its next new
     *                 body gets this id
     * @param userData the game's own number for the body, with which it was attached
     * @return the body, in the world, and not attached
     */
    B restore(long engineId, long userData);

    /**
     * Removes a body from the world. The body is already detached.
     *
     * @param body     the body
     * @param userData the game's own number for the body, with which it was attached
     */
    void remove(B body, long userData);
}
