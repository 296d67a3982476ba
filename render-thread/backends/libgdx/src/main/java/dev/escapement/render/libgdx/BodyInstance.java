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
 * <p>All of {@code transform} is the body's: what scales a model belongs to the model's nodes. Advances nothing: the view is
 * advanced first, by {@link BodyInstances} or by its user. The render thread only; allocates nothing.
 */
public final class BodyInstance {

    private final SceneBody body;
    private final ModelInstance instance;

    /**
     * An instance in a scene that has its zero where the world has.
     *
     * @param view     what it shows
     * @param bodyId   the body to follow, which may be yet to come
     * @param instance what to move
     * @throws IllegalArgumentException if it is no body's id
     */
    public BodyInstance(FrameView view, long bodyId, ModelInstance instance) {
        this(view, bodyId, instance, new SceneOrigin());
    }

    /**
     * An instance in a large world.
     *
     * @param view     what it shows
     * @param bodyId   the body to follow, which may be yet to come
     * @param instance what to move
     * @param origin   where the scene has its zero
     * @throws IllegalArgumentException if it is no body's id
     */
    public BodyInstance(FrameView view, long bodyId, ModelInstance instance, SceneOrigin origin) {
        body = new SceneBody(view, bodyId, origin);
        this.instance = instance;
    }

    /**
     * Moves the instance to where the frame shows the body.
     *
     * @return whether the body exists in the frame; if not, it is yet to appear, or gone: nothing is moved, nothing is to be drawn
     * @throws IllegalStateException if the view is closed or another thread's
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
