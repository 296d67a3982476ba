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
 * One body, and where it belongs in a renderer's scene. Advances nothing: the view is advanced first.
 *
 * <pre>{@code
 * SceneBody player = new SceneBody(view, playerBody, origin);
 * if (player.update()) {
 *     draw(player.position(), player.rotation());
 * }
 * }</pre>
 *
 * <p>One thread, that of the renderer; allocates nothing.
 */
public final class SceneBody {

    private final FrameView view;
    private final long bodyId;
    private final SceneOrigin origin;
    private final Vector3f position = new Vector3f();
    private final Quaternionf rotation = new Quaternionf();
    private boolean hadWindow;

    /**
     * A body that need not exist yet.
     *
     * @param view   what shows it
     * @param bodyId its {@link BodyId}
     * @param origin where the scene has its zero
     * @throws IllegalArgumentException if it is no body's id
     */
    public SceneBody(FrameView view, long bodyId, SceneOrigin origin) {
        if (!BodyId.isLive(BodyId.generation(bodyId))) {
            throw new IllegalArgumentException(
                    BodyId.toString(bodyId)
                            + " is no body's id and nothing can follow it: give one that spawn() returned or a BodyVisitor was told");
        }
        this.view = view;
        this.bodyId = bodyId;
        this.origin = origin;
    }

    /**
     * Looks at the frame.
     *
     * @return whether the body exists in it; if not, it is yet to appear, or gone, and the pose stays as it was
     * @throws IllegalStateException if the view is closed or another thread's
     */
    public boolean update() {
        hadWindow |= view.hasWindow();
        // Asked of a view without a window only when it had one: then it is closed, and says so.
        if (!hadWindow || !view.shown().bodies().exists(bodyId)) {
            return false;
        }
        Snapshot shown = view.shown();
        PoseBlock poses = view.interpolator().block(BodyId.slot(bodyId) >>> PoseBlock.SHIFT);
        int i = BodyId.slot(bodyId) & PoseBlock.MASK;
        position.set(
                (float) (poses.px[i] + (shown.originX() - origin.x())),
                (float) (poses.py[i] + (shown.originY() - origin.y())),
                (float) (poses.pz[i] + (shown.originZ() - origin.z())));
        rotation.set(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        return true;
    }

    /**
     * Which body it is.
     *
     * @return its {@link BodyId}
     */
    public long id() {
        return bodyId;
    }

    /**
     * Where it is.
     *
     * @return metres from the scene's zero, overwritten by the next {@link #update()}
     */
    public Vector3fc position() {
        return position;
    }

    /**
     * How it is turned.
     *
     * @return a unit quaternion, overwritten by the next {@link #update()}
     */
    public Quaternionfc rotation() {
        return rotation;
    }
}
