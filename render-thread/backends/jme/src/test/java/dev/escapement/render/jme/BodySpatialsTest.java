package dev.escapement.render.jme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import org.joml.Quaternionf;
import org.junit.jupiter.api.Test;

/** The behaviour specific to jMonkeyEngine. SceneBodiesTest checks for all engines that each body has its node at its pose. */
class BodySpatialsTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final Node root = new Node("root");

    @Test
    void shouldAttachPlaceAndDetachASpatial() {
        BodySpatials spatials = new BodySpatials(view, root, (bodyId, userData) -> new Node("body " + userData));
        world.spawnShown(1);
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
        long nowNanos = world.timeline().dueNanos(world.ticks()) + CapturedWorld.RATE.nanosAt(1) / 3;
        new BodiesAppState(spatials, () -> nowNanos).update(0.01f);
        root.updateGeometricState();
        assertThat(root.getChildren()).extracting(Spatial::getName).containsExactly("body 1");
        org.joml.Vector3f p = view.positionOfSlot(0, new org.joml.Vector3f());
        Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
        Spatial spatial = root.getChild(0);
        assertThat(spatial.getWorldTranslation()).isEqualTo(new Vector3f(p.x, p.y, p.z));
        assertThat(spatial.getWorldRotation()).isEqualTo(new Quaternion(q.x, q.y, q.z, q.w));
        world.tick(poses -> poses.despawn(BodyId.of(0, 1)));
        world.tick();
        spatials.advance(world.timeline().dueNanos(world.ticks()));
        assertThat(root.getChildren()).isEmpty();
        assertThat(spatial.getParent()).isNull();
    }

    /** The transform of the node applies to all bodies, and each body's model keeps its own scale. */
    @Test
    void shouldPlaceSpatialsInTheAxesOfTheirNode() {
        SceneOrigin origin = new SceneOrigin();
        Node model = new Node("model");
        model.setLocalScale(3);
        BodySpatials moved = new BodySpatials(view, root, (bodyId, userData) -> model, origin);
        root.setLocalTranslation(10, 0, 0);
        root.setLocalRotation(new Quaternion(0, 1, 0, 0)); // 180 degrees around y
        origin.set(1, 0, 0);
        world.spawnShown(1);
        view.advance(world.timeline().dueNanos(world.ticks()));
        moved.update();
        root.updateGeometricState();
        assertThat(model.getWorldTranslation()).isEqualTo(new Vector3f(10, 2, -3));
        assertThat(model.getWorldScale()).isEqualTo(new Vector3f(3, 3, 3));
    }

    @Test
    void shouldExplainABodyWithoutASpatial() {
        BodySpatials without = new BodySpatials(view, root, (bodyId, userData) -> nothing());
        world.spawnShown(42);
        assertThatIllegalStateException()
                .isThrownBy(() -> without.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage(
                        "the factory's answer to body 0#1 (user data 42) was no spatial: return one, an empty Node if"
                                + " the body is not to be seen");
    }

    @Test
    void shouldRefuseOneSpatialForTwoBodies() {
        Node only = new Node("only");
        BodySpatials shared = new BodySpatials(view, root, (bodyId, userData) -> only);
        world.spawnShown(1);
        world.spawnShown(2);
        assertThatIllegalStateException()
                .isThrownBy(() -> shared.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage(
                        "the factory's answer to body 1#1 (user data 2) was only (Node), which is in use, a child of"
                                + " root (Node): return another for each body, for example a clone()");
        assertThat(root.getChildren()).containsExactly(only);
    }

    /** Returns null, as a user's factory can if the user's compiler does not check for null. */
    @SuppressWarnings("NullAway")
    private static Spatial nothing() {
        return null;
    }
}
