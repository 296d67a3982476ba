package dev.escapement.render.jme;

import com.jme3.scene.Spatial;

/**
 * Creates the spatials of bodies.
 *
 * @see BodySpatials
 */
@FunctionalInterface
public interface SpatialFactory {

    /**
     * Creates a spatial for a body that appears.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the application's own number, which the body was spawned with
     * @return a spatial without a parent; an empty {@link com.jme3.scene.Node} for a body that is invisible
     */
    Spatial create(long bodyId, long userData);
}
