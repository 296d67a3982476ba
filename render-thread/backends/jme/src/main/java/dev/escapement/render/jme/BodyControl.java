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
 * Lets a spatial follow a body from anywhere in the scene: its world transform becomes the body's pose, independent of the transforms of
 * its parents. Its own scale is not changed. The spatial is culled before the body appears and after it has vanished.
 *
 * <pre>{@code
 * player.addControl(new BodyControl(view, playerBody));
 * }</pre>
 *
 * <p>Does not advance the view: a {@link BodiesAppState}, or {@code simpleUpdate}, must do that before the scene is updated. The render
 * thread only; allocates nothing.
 */
public class BodyControl extends AbstractControl {

    private final SceneBody body;
    private final Vector3f position = new Vector3f();
    private final Quaternion rotation = new Quaternion();
    private final Quaternion toParent = new Quaternion();
    private boolean exists;
    private @Nullable CullHint hintWhenShown;

    /**
     * Creates a control in a scene whose origin is that of the world.
     *
     * @param view   the view that shows the body
     * @param bodyId the body to follow, which need not exist yet
     * @throws IllegalArgumentException if it is not the id of a body
     */
    public BodyControl(FrameView view, long bodyId) {
        this(view, bodyId, new SceneOrigin());
    }

    /**
     * Creates a control in a large world.
     *
     * @param view   the view that shows the body
     * @param bodyId the body to follow, which need not exist yet
     * @param origin the scene's origin in the world
     * @throws IllegalArgumentException if it is not the id of a body
     */
    public BodyControl(FrameView view, long bodyId, SceneOrigin origin) {
        body = new SceneBody(view, bodyId, origin);
    }

    /** {@inheritDoc} Refuses a spatial that already follows a body. */
    @Override
    public final void setSpatial(@Nullable Spatial newSpatial) {
        if (newSpatial == null) {
            show();
        }
        super.setSpatial(newSpatial);
        if (newSpatial != null) {
            BodyControl first = newSpatial.getControl(BodyControl.class);
            if (first != this) {
                newSpatial.removeControl(this); // the engine has added it to its list already
                throw new IllegalStateException(newSpatial + " cannot follow body " + BodyId.toString(body.id())
                        + ": it follows body " + BodyId.toString(first.body.id()) + ", remove that control first");
            }
        }
    }

    /**
     * Called in the first frame that no longer has the body, after the spatial was culled. Does nothing unless overridden, for example to
     * remove the spatial from its parent.
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

    /** Applies the inverse of a parent's transform, which is: scale, then turn, then move. */
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
