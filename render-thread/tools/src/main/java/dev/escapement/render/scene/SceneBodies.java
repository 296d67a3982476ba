package dev.escapement.render.scene;

import dev.escapement.render.BodyVisitor;
import dev.escapement.render.FrameView;
import dev.escapement.render.Succession;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a node in a renderer's scene for every body.
 *
 * <p>It adds the node when the body appears, places the node in each frame, and removes it when the body vanishes. A backend chooses the
 * type of nodes. While a block of bodies rests, its nodes are not placed again, so no other code may move them.
 *
 * <p>Use one per view, because a view reports each change only once. The rendering thread only; allocates nothing unless bodies appear or
 * vanish.
 *
 * @param <N> the renderer's nodes
 * @see FrameView#changes
 */
public abstract class SceneBodies<N> {

    private FrameView view;
    private final SceneOrigin origin;

    /** The instant of the frame to which {@link #succession} advances the next view. */
    private long askedNanos;

    private final Succession<FrameView> succession =
            new Succession<>(next -> next.advance(askedNanos), FrameView::close);
    private final Changes changes = new Changes();
    private @Nullable Object[] nodes = {};

    /** Per block: the tick that wrote the poses at which its nodes were placed. Poses of that tick need not be placed again. */
    private long[] placedVersion = {};

    /** The origin of the poses, relative to the scene's origin, in metres. */
    private double shiftX;

    private double shiftY;
    private double shiftZ;

    /**
     * Creates a scene without nodes.
     *
     * @param view   the view that it shows
     * @param origin the scene's origin in the world
     */
    protected SceneBodies(FrameView view, SceneOrigin origin) {
        this.view = view;
        this.origin = origin;
    }

    /**
     * Shows another view, for example of the next service, as soon as {@link #advance} finds a frame in it, and the old view until then.
     * Then this removes all nodes of the old view and closes it. Any thread.
     *
     * @param next a view that no thread has used; closed if another one is passed before its first frame, or by {@link #close()}
     */
    public final void show(FrameView next) {
        succession.submit(next);
    }

    /** {@return the displayed view} It is the last view passed to {@link #show} that had a frame, or else the view of the constructor. */
    public final FrameView view() {
        return view;
    }

    /** Closes the view, and the next one that has not been shown. The nodes stay. Idempotent. */
    public final void close() {
        succession.close();
        view.close();
    }

    /**
     * Advances the view to a frame and updates the nodes. Other code may read the view in the same frame after this.
     *
     * @param frameNanos when the frame is made, an instant of the service's clock
     * @return false if there is nothing to show yet
     * @throws IllegalArgumentException if {@code frameNanos} is before the last frame
     * @throws IllegalStateException    as {@link #update()}
     */
    public final boolean advance(long frameNanos) {
        askedNanos = frameNanos;
        FrameView next = succession.take();
        if (next != null && next != view) {
            replaceBy(next);
        } else if (!view.advance(frameNanos)) {
            return false;
        }
        update();
        return true;
    }

    /**
     * Replaces the view and removes all nodes, because the same ids name other bodies in another world. Throws the first exception at the
     * end, so that no node remains.
     */
    private void replaceBy(FrameView next) {
        FrameView old = view;
        view = next;
        Arrays.fill(placedVersion, Snapshot.NEVER_WRITTEN);
        RuntimeException failed = null;
        try {
            old.close();
        } catch (RuntimeException e) {
            failed = e;
        }
        for (int slot = 0; slot < nodes.length; slot++) {
            try {
                removeNode(slot);
            } catch (RuntimeException e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Updates the nodes to the current frame of a view that the caller advances.
     *
     * @throws IllegalStateException if there is nothing to show yet, the view is closed or belongs to another thread, or the node for a
     *                               body cannot be used; that body then has no node
     */
    public final void update() {
        Interpolator moment = view.interpolator();
        Snapshot shown = moment.shown();
        int blocks = shown.poses().blockCount();
        grow(blocks);
        view.changes(changes);
        RuntimeException refused = changes.takeRefusal();
        shiftTo(shown);
        for (int b = 0; b < blocks; b++) {
            long version = moment.restingSince(b);
            if (version == Snapshot.NEVER_WRITTEN || version != placedVersion[b]) {
                place(moment.block(b), b << PoseBlock.SHIFT, shown.poses().slotsIn(b));
                placedVersion[b] = version;
            }
        }
        if (refused != null) {
            throw refused; // only now, after all other nodes were placed
        }
    }

    /**
     * Adds a node for a body that appears.
     *
     * @param bodyId   its {@link BodyId}
     * @param userData the application's own number, which the body was spawned with
     * @return the node
     */
    protected abstract N add(long bodyId, long userData);

    /**
     * Removes the node of a body that vanished.
     *
     * @param node the result of {@link #add}
     */
    protected abstract void remove(N node);

    /**
     * Places a node in the scene.
     *
     * @param node the result of {@link #add}
     * @param x    metres from the scene's zero
     * @param y    metres from the scene's zero
     * @param z    metres from the scene's zero
     * @param qx   a unit quaternion's x
     * @param qy   its y
     * @param qz   its z
     * @param qw   its w
     */
    protected abstract void place(N node, float x, float y, float z, float qx, float qy, float qz, float qw);

    /**
     * {@return the exception to throw for a node of the factory that cannot be used}
     *
     * @param bodyId   the body that the factory was called for
     * @param userData the application's own number
     * @param answer   what the factory returned, and what it should return instead
     */
    protected static IllegalStateException refusal(long bodyId, long userData, String answer) {
        return new IllegalStateException("the factory's answer to body " + BodyId.toString(bodyId) + " (user data "
                + userData + ") was " + answer);
    }

    private void place(PoseBlock poses, int firstSlot, int n) {
        for (int i = 0; i < n; i++) {
            N node = node(firstSlot + i);
            if (node != null) {
                float x = (float) (poses.px[i] + shiftX);
                float y = (float) (poses.py[i] + shiftY);
                float z = (float) (poses.pz[i] + shiftZ);
                place(node, x, y, z, poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
            }
        }
    }

    private void shiftTo(Snapshot shown) {
        double x = shown.originX() - origin.x;
        double y = shown.originY() - origin.y;
        double z = shown.originZ() - origin.z;
        if (x != shiftX || y != shiftY || z != shiftZ) {
            shiftX = x;
            shiftY = y;
            shiftZ = z;
            Arrays.fill(placedVersion, Snapshot.NEVER_WRITTEN); // places the nodes of resting bodies again, too
        }
    }

    private void grow(int blocks) {
        if (blocks > placedVersion.length) {
            int room = Math.max(blocks, 2 * placedVersion.length);
            nodes = Arrays.copyOf(nodes, room * PoseBlock.CAPACITY);
            placedVersion = Arrays.copyOf(placedVersion, room); // 0 is no tick, so new blocks are placed
        }
    }

    @SuppressWarnings("unchecked") // only results of add() are stored
    private @Nullable N node(int slot) {
        return (N) nodes[slot];
    }

    private void removeNode(int slot) {
        N node = node(slot);
        if (node != null) {
            nodes[slot] = null;
            remove(node);
        }
    }

    private final class Changes implements BodyVisitor {

        private @Nullable RuntimeException refusal;

        /** Returns and clears the first refusal of the frame, if any. */
        @Nullable
        RuntimeException takeRefusal() {
            RuntimeException first = refusal;
            refusal = null;
            return first;
        }

        @Override
        public void appeared(long bodyId, long userData) {
            try {
                nodes[BodyId.slot(bodyId)] = add(bodyId, userData);
            } catch (RuntimeException e) {
                refusal = refusal == null ? e : refusal;
            }
        }

        @Override
        public void vanished(long bodyId, long userData) {
            removeNode(BodyId.slot(bodyId));
        }
    }
}
