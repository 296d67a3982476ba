package dev.escapement.render.scene;

import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.joml.Quaternionf;
import org.joml.Quaternionfc;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * The pose of one body in a renderer's scene. Does not advance the view, which must be advanced first.
 *
 * <pre>{@code
 * SceneBody player = new SceneBody(view, playerBody, origin);
 * if (player.update()) {
 *     draw(player.position(), player.rotation());
 * }
 * }</pre>
 *
 * <p>The rendering thread only; allocates nothing.
 */
public final class SceneBody {

    private final FrameView view;
    private final long bodyId;
    private final SceneOrigin origin;
    private final Vector3f position = new Vector3f();
    private final Quaternionf rotation = new Quaternionf();
    private boolean hadWindow;

    /**
     * Creates the pose of a body, which need not exist yet.
     *
     * @param view   the view that shows it
     * @param bodyId its {@link BodyId}
     * @param origin the scene's origin in the world
     * @throws IllegalArgumentException if it is not the id of a body
     */
    public SceneBody(FrameView view, long bodyId, SceneOrigin origin) {
        if (!BodyId.isLive(BodyId.generation(bodyId))) {
            throw new IllegalArgumentException(
                    BodyId.toString(bodyId)
                            + " is no body's id and nothing can follow it: give one that spawn() returned or a BodyVisitor got");
        }
        this.view = view;
        this.bodyId = bodyId;
        this.origin = origin;
    }

    /**
     * Updates the pose to the current frame.
     *
     * @return whether the body exists in it; if not, it is not yet spawned, or gone, and the pose is unchanged
     * @throws IllegalStateException if the view is closed or belongs to another thread
     */
    public boolean update() {
        hadWindow |= view.hasWindow();
        // A view that had a window and has none is closed, and shown() throws.
        if (!hadWindow || !view.shown().bodies().exists(bodyId)) {
            return false;
        }
        Snapshot shown = view.shown();
        PoseBlock poses = view.interpolator().block(BodyId.slot(bodyId) >>> PoseBlock.SHIFT);
        int i = BodyId.slot(bodyId) & PoseBlock.MASK;
        position.set(
                (float) (poses.px[i] + (shown.originX() - origin.x)),
                (float) (poses.py[i] + (shown.originY() - origin.y)),
                (float) (poses.pz[i] + (shown.originZ() - origin.z)));
        rotation.set(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        return true;
    }

    /** {@return the {@link BodyId} of the body} */
    public long id() {
        return bodyId;
    }

    /** {@return the body's position, metres from the scene's origin, overwritten by the next {@link #update()}} */
    public Vector3fc position() {
        return position;
    }

    /** {@return the body's rotation, a unit quaternion, overwritten by the next {@link #update()}} */
    public Quaternionfc rotation() {
        return rotation;
    }
}
