package dev.escapement.render.jme;

import com.jme3.math.Quaternion;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBodies;
import dev.escapement.render.scene.SceneOrigin;

/**
 * Keeps a spatial for every body: attaches it to a node when the body appears, moves it in each frame, and detaches it when the body
 * vanishes.
 *
 * <pre>{@code
 * BodySpatials crates = new BodySpatials(view, rootNode, (bodyId, userData) -> crate.clone());
 * crates.advance(System.nanoTime());   // once a frame, or let a BodiesAppState do it
 * }</pre>
 *
 * <p>Spatials are placed in the node's own axes, so that moving, turning or scaling the node affects all of them. Their own scale is not
 * changed. The render thread only.
 *
 * @see BodiesAppState
 */
public final class BodySpatials extends SceneBodies<Spatial> {

    private final Node node;
    private final SpatialFactory factory;
    private final Quaternion rotation = new Quaternion();

    /**
     * Creates spatials below a node whose origin is the world's origin.
     *
     * @param view    the view that the spatials show
     * @param node    gets a child for each body
     * @param factory creates the spatials
     */
    public BodySpatials(FrameView view, Node node, SpatialFactory factory) {
        this(view, node, factory, new SceneOrigin());
    }

    /**
     * Creates spatials in a large world.
     *
     * @param view    the view that the spatials show
     * @param node    gets a child for each body
     * @param factory creates the spatials
     * @param origin  the node's origin in the world
     */
    public BodySpatials(FrameView view, Node node, SpatialFactory factory, SceneOrigin origin) {
        super(view, origin);
        this.node = node;
        this.factory = factory;
    }

    @Override
    protected Spatial add(long bodyId, long userData) {
        Spatial spatial = factory.create(bodyId, userData);
        if (spatial == null) {
            throw refusal(bodyId, userData, "no spatial: return one, an empty Node if the body is not to be seen");
        }
        if (spatial.getParent() != null) {
            throw refusal(
                    bodyId,
                    userData,
                    spatial + ", which is in use, a child of " + spatial.getParent()
                            + ": return another for each body, for example a clone()");
        }
        node.attachChild(spatial);
        return spatial;
    }

    @Override
    protected void remove(Spatial spatial) {
        spatial.removeFromParent();
    }

    @Override
    protected void place(Spatial spatial, float x, float y, float z, float qx, float qy, float qz, float qw) {
        spatial.setLocalTranslation(x, y, z);
        spatial.setLocalRotation(rotation.set(qx, qy, qz, qw));
    }
}
