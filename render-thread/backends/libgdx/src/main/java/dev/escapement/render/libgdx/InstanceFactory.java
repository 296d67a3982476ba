package dev.escapement.render.libgdx;

import com.badlogic.gdx.graphics.g3d.ModelInstance;

/**
 * Makes the model instances that stand for bodies.
 *
 * @see BodyInstances
 */
@FunctionalInterface
public interface InstanceFactory {

    /**
     * Makes an instance for a body that appears.
     *
     * @param bodyId   its {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the user's own number, as given when it was spawned
     * @return another instance for each body; one of an empty {@link com.badlogic.gdx.graphics.g3d.Model} for a body that is
     *     not to be seen, or that a {@link BodyInstance} shows
     */
    ModelInstance create(long bodyId, long userData);
}
