package dev.escapement.physics.query;

import dev.escapement.state.world.BodyShape.Form;

/**
 * An engine's own queries, over copies of bodies that no step moves. An adapter implements this for a {@link QueryWorld}, which checks all
 * arguments.
 *
 * <p>One thread at a time, apart from {@link #free}. Positions are metres from the engine's own zero at the time when the query world was
 * made, so that they are exact in single precision, too; rotations are unit quaternions.
 *
 * @param <D> the description of a body, see {@link QueryBodies}
 * @param <H> the copy of a body that was added
 */
public interface QueryEngine<D, H> {

    /**
     * Begins a moment.
     *
     * @throws IllegalStateException if the game has freed what this engine shares with the world
     */
    default void begin() {}

    /**
     * Adds a copy of a body, at the pose of its description. If the call throws, it has added nothing.
     *
     * @param body the description, which the query world may free while the copy is there
     * @param slot the number to pass to {@link QueryHits#wants}; negative for a static body that is not attached
     * @return the copy
     */
    H add(D body, int slot);

    /**
     * Removes a copy.
     *
     * @param copy the result of {@link #add}
     */
    void remove(H copy);

    /**
     * Moves a copy. Allocates nothing.
     *
     * @param copy the result of {@link #add}
     * @param x    metres
     * @param y    metres
     * @param z    metres
     * @param qx   rotation, unit quaternion x
     * @param qy   rotation, unit quaternion y
     * @param qz   rotation, unit quaternion z
     * @param qw   rotation, unit quaternion w
     */
    void move(H copy, double x, double y, double z, float qx, float qy, float qz, float qw);

    /** Prepares queries, after copies were added, removed or moved. */
    default void moved() {}

    /**
     * Frees a description. Any thread, once for each description.
     *
     * @param body the description
     */
    default void free(D body) {}

    /**
     * Casts a ray. Reports each hit shape with {@link QueryHits#wants} and {@link QueryHits#add}; may omit hits beyond
     * {@link QueryHits#limit()}.
     *
     * @param x    start
     * @param y    start
     * @param z    start
     * @param wayX the way to the end of the ray, metres
     * @param wayY along y
     * @param wayZ along z
     * @param hits takes the hits
     */
    void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits);

    /**
     * Finds the shapes that overlap a form. Reports each with fraction 0.
     *
     * @param form a box, a ball or a capsule, with sizes above 0
     * @param x    its position
     * @param y    its position
     * @param z    its position
     * @param qx   its rotation
     * @param qy   its rotation
     * @param qz   its rotation
     * @param qw   its rotation
     * @param hits takes the hits
     * @throws UnsupportedOperationException if the engine has no such form
     */
    void overlap(Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits);

    /**
     * Moves a form along a way, without turning it, and reports what it hits. May omit hits beyond {@link QueryHits#limit()}.
     *
     * @param form the form
     * @param x    its position at the start
     * @param y    its position at the start
     * @param z    its position at the start
     * @param qx   its rotation
     * @param qy   its rotation
     * @param qz   its rotation
     * @param qw   its rotation
     * @param wayX the way, metres
     * @param wayY along y
     * @param wayZ along z
     * @param hits takes the hits
     * @throws UnsupportedOperationException if the engine has no sweeps, or none of such a form
     */
    void sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryHits hits);

    /** Frees all copies, and what the engine keeps for queries. */
    void close();
}
