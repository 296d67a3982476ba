package dev.escapement.render.jme;

import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.renderer.RenderManager;
import com.jme3.renderer.ViewPort;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import com.jme3.scene.Spatial.CullHint;
import com.jme3.scene.control.AbstractControl;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBody;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.snapshot.BodyId;
import org.joml.Quaternionfc;
import org.joml.Vector3fc;
import org.jspecify.annotations.Nullable;

/**
 * Lets a spatial follow a body, wherever it hangs in the scene: its world transform becomes the body's pose, independent of its parents'
 * transforms are. Its own scale is left alone. While the body does not exist, the spatial is culled: before it appears, and again
 * when it is gone.
 *
 * <pre>{@code
 * player.addControl(new BodyControl(view, playerBody));
 * }</pre>
 *
 * <p>Advances nothing: the view is advanced before the scene is updated, by a {@link BodiesAppState}, or in
 * {@code simpleUpdate}. The render thread only; allocates nothing.
 */
public class BodyControl extends AbstractControl {

    private final SceneBody body;
    private final Vector3f position = new Vector3f();
    private final Quaternion rotation = new Quaternion();
    private final Quaternion toParent = new Quaternion();
    private boolean exists;
    private @Nullable CullHint hintWhenShown;

    /**
     * A control in a scene that has its zero where the world has.
     *
     * @param view   what the spatial shows
     * @param bodyId the body to follow, which may be yet to come
     * @throws IllegalArgumentException if it is no body's id
     */
    public BodyControl(FrameView view, long bodyId) {
        this(view, bodyId, new SceneOrigin());
    }

    /**
     * A control in a large world.
     *
     * @param view   what the spatial shows
     * @param bodyId the body to follow, which may be yet to come
     * @param origin where the scene has its zero
     * @throws IllegalArgumentException if it is no body's id
     */
    public BodyControl(FrameView view, long bodyId, SceneOrigin origin) {
        body = new SceneBody(view, bodyId, origin);
    }

    /** {@inheritDoc} One that follows a body already is refused. */
    @Override
    public final void setSpatial(@Nullable Spatial newSpatial) {
        if (newSpatial == null) {
            show();
        }
        super.setSpatial(newSpatial);
        if (newSpatial != null) {
            BodyControl first = newSpatial.getControl(BodyControl.class);
            if (first != this) {
                newSpatial.removeControl(this); // the engine has it on its list already
                throw new IllegalStateException(newSpatial + " cannot follow body " + BodyId.toString(body.id())
                        + ": it follows body " + BodyId.toString(first.body.id()) + ", remove that control first");
            }
        }
    }

    /**
     * Is called in the first frame that no longer has the body, once the spatial is culled. Does nothing, unless overridden:
     * to remove the spatial from its parent, say.
     */
    protected void bodyVanished() {}

    @Override
    protected final void controlUpdate(float secondsPerFrame) {
        boolean existed = exists;
        exists = body.update();
        if (exists) {
            place();
            show();
        } else {
            hide();
            if (existed) {
                bodyVanished();
            }
        }
    }

    @Override
    protected final void controlRender(RenderManager renderer, ViewPort viewPort) {}

    private void place() {
        Vector3fc p = body.position();
        Quaternionfc q = body.rotation();
        position.set(p.x(), p.y(), p.z());
        rotation.set(q.x(), q.y(), q.z(), q.w());
        if (spatial.getParent() != null) {
            toAxesOf(spatial.getParent());
        }
        spatial.setLocalTranslation(position);
        spatial.setLocalRotation(rotation);
    }

    /** The inverse of what the engine does with a parent's transform: scale, then turn, then move. */
    private void toAxesOf(Node parent) {
        Vector3f scale = parent.getWorldScale();
        if (scale.x == 0 || scale.y == 0 || scale.z == 0) {
            throw new IllegalStateException(spatial + " cannot follow body " + BodyId.toString(body.id()) + " below "
                    + parent + ", whose scale is " + scale + ": cull what is not to be seen instead");
        }
        toParent.set(parent.getWorldRotation()).inverseLocal();
        toParent.multLocal(position.subtractLocal(parent.getWorldTranslation())).divideLocal(scale);
        toParent.mult(rotation, rotation);
    }

    private void show() {
        if (hintWhenShown != null) {
            spatial.setCullHint(hintWhenShown);
            hintWhenShown = null;
        }
    }

    private void hide() {
        if (hintWhenShown == null) {
            hintWhenShown = spatial.getLocalCullHint();
            spatial.setCullHint(CullHint.Always);
        }
    }
}
