package dev.escapement.physics.world;

/**
 * Puts bodies back that have gone since a state was saved, and takes those away that have come, when the state is restored. A game
 * implements this for the shapes that it knows: a saved state has what moves, but not what bodies are made of.
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
 * <p>Called on the thread that restores, which is the physics thread once the service has started. First removes, then restores bodies.
 *
 * @param <B> the engine's bodies
 */
public interface BodyRestorer<B> {

    /**
     * Puts a body back into the world. Its pose and velocities are set afterwards; it is attached by the caller.
     *
     * @param engineId its id in the engine, which must be the same again; some simulations let the engine give the next body this id
     * @param userData the game's own number for the body, with which it was attached
     * @return the body, in the world, and not attached
     */
    B restore(long engineId, long userData);

    /**
     * Takes a body out of the world. It is not attached any more.
     *
     * @param body     the body
     * @param userData the game's own number for the body, with which it was attached
     */
    void remove(B body, long userData);
}
