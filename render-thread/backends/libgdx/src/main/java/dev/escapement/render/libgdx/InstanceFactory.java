package dev.escapement.render.libgdx;

import com.badlogic.gdx.graphics.g3d.ModelInstance;

/**
 * Creates the model instances of bodies.
 *
 * @see BodyInstances
 */
@FunctionalInterface
public interface InstanceFactory {

    /**
     * Creates an instance for a body that appears.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the application's own number, which the body was spawned with
     * @return a separate instance for each body; one of an empty {@link com.badlogic.gdx.graphics.g3d.Model} for a body that is invisible
     */
    ModelInstance create(long bodyId, long userData);
}
