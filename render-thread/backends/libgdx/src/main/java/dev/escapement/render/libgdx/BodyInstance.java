package dev.escapement.render.libgdx;

import com.badlogic.gdx.graphics.g3d.ModelInstance;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBody;
import dev.escapement.render.scene.SceneOrigin;
import org.joml.Quaternionfc;
import org.joml.Vector3fc;

/**
 * Lets a model instance follow a body.
 *
 * <pre>{@code
 * BodyInstance player = new BodyInstance(view, playerBody, knight);
 *
 * if (player.update()) {                               // after the view was advanced
 *     batch.render(knight, environment);
 * }
 * }</pre>
 *
 * <p>Overwrites the whole {@code transform}: put a scale into the model's nodes. Does not advance the view, which {@link BodyInstances} or
 * other code must advance first. The render thread only; allocates nothing.
 */
public final class BodyInstance {

    private final SceneBody body;
    private final ModelInstance instance;

    /**
     * Creates an instance in a scene whose origin is that of the world.
     *
     * @param view     the view that shows the body
     * @param bodyId   the body to follow, which need not exist yet
     * @param instance the model instance to move
     * @throws IllegalArgumentException if it is not the id of a body
     */
    public BodyInstance(FrameView view, long bodyId, ModelInstance instance) {
        this(view, bodyId, instance, new SceneOrigin());
    }

    /**
     * Creates an instance in a large world.
     *
     * @param view     the view that shows the body
     * @param bodyId   the body to follow, which need not exist yet
     * @param instance the model instance to move
     * @param origin   the scene's origin in the world
     * @throws IllegalArgumentException if it is not the id of a body
     */
    public BodyInstance(FrameView view, long bodyId, ModelInstance instance, SceneOrigin origin) {
        body = new SceneBody(view, bodyId, origin);
        this.instance = instance;
    }

    /**
     * Moves the instance to where the frame shows the body.
     *
     * @return whether the body exists in the frame; if not, it is not yet spawned, or gone: do not draw the instance, which was not moved
     * @throws IllegalStateException if the view is closed or belongs to another thread
     */
    public boolean update() {
        if (!body.update()) {
            return false;
        }
        Vector3fc p = body.position();
        Quaternionfc q = body.rotation();
        instance.transform.set(p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w());
        return true;
    }
}
