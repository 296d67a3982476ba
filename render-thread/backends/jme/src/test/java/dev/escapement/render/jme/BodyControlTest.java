package dev.escapement.render.jme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.jme3.math.FastMath;
import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial.CullHint;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import org.joml.Quaternionf;
import org.junit.jupiter.api.Test;

class BodyControlTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);
    private static final long BODY = BodyId.of(0, 1);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final Node root = new Node("root");
    private final Node parent = new Node("parent");
    private final Node player = new Node("player");
    private final Watching control = new Watching();

    BodyControlTest() {
        root.attachChild(parent);
        parent.attachChild(player);
    }

    @Test
    void shouldHaveExactlyThePoseOfTheFrame() {
        player.setLocalScale(2);
        player.addControl(control);
        spawnMoving();
        showFrame(0.3f);
        org.joml.Vector3f p = view.positionOfSlot(0, new org.joml.Vector3f());
        Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
        assertThat(p.x).as("really blended").isBetween(1.29f, 1.31f);
        assertThat(player.getWorldTranslation()).isEqualTo(new Vector3f(p.x, p.y, p.z));
        assertThat(player.getWorldRotation()).isEqualTo(new Quaternion(q.x, q.y, q.z, q.w));
        assertThat(player.getWorldScale()).isEqualTo(new Vector3f(2, 2, 2));
    }

    /** Parents that are turned, moved and stretched, differently in each frame; up to 50 m away, where floats are 4e-6 m apart. */
    @Test
    void shouldBeWhereTheBodyIsUnderParentsWithAnyTransform() {
        player.addControl(control);
        spawnMoving();
        for (int frame = 0; frame < 50; frame++) {
            root.setLocalRotation(new Quaternion().fromAngles(0.1f * frame, 1, -0.2f * frame));
            root.setLocalTranslation(3, -frame, 2);
            parent.setLocalScale(2, 0.5f, 1 + 0.1f * frame);
            parent.setLocalTranslation(0.5f * frame, 4, -1);
            parent.setLocalRotation(new Quaternion().fromAngles(0.3f, 0.05f * frame, 0));
            showFrame(frame / 50f);
            org.joml.Vector3f p = view.positionOfSlot(0, new org.joml.Vector3f());
            Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
            assertThat(player.getWorldTranslation().distance(new Vector3f(p.x, p.y, p.z)))
                    .isLessThan(5e-5f);
            Quaternion expected = new Quaternion(q.x, q.y, q.z, q.w);
            assertThat(FastMath.abs(player.getWorldRotation().dot(expected))).isGreaterThan(1 - 1e-6f);
        }
    }

    @Test
    void shouldFollowWithoutAParent() {
        Node alone = new Node("alone");
        alone.addControl(control);
        spawnMoving();
        view.advance(world.timeline().dueNanos(world.ticks()));
        alone.updateLogicalState(0.01f);
        assertThat(alone.getLocalTranslation()).isEqualTo(new Vector3f(1, 2, 3));
    }

    @Test
    void shouldBePlacedFromTheScenesOrigin() {
        SceneOrigin origin = new SceneOrigin();
        player.addControl(new BodyControl(view, BODY, origin));
        origin.set(1, 1, 1);
        spawnMoving();
        showFrame(0);
        assertThat(player.getWorldTranslation()).isEqualTo(new Vector3f(0, 1, 2));
    }

    @Test
    void shouldBeCulledWhileThereIsNoBody() {
        player.setCullHint(CullHint.Never);
        player.addControl(control);
        root.updateLogicalState(0.01f);
        assertThat(player.getLocalCullHint()).as("no window yet").isEqualTo(CullHint.Always);
        world.tick();
        world.tick();
        world.tick();
        showFrame(0.5f);
        assertThat(player.getLocalCullHint()).as("yet to appear").isEqualTo(CullHint.Always);
        spawnMoving();
        showFrame(0.5f);
        assertThat(player.getLocalCullHint()).as("what it was").isEqualTo(CullHint.Never);
        assertThat(control.vanished).isZero();
        world.tick(poses -> {
            poses.despawn(BODY);
            poses.spawn(8); // takes the slot
            poses.set(0, 100, 0, 0, 0, 0, 0, 1);
        });
        showFrame(0.5f);
        assertThat(player.getLocalCullHint()).as("still there").isEqualTo(CullHint.Never);
        Vector3f last = player.getWorldTranslation().clone();
        world.tick();
        for (float alpha : new float[] {0, 0.5f, 0.75f}) {
            showFrame(alpha);
            assertThat(player.getLocalCullHint()).as("gone").isEqualTo(CullHint.Always);
            assertThat(player.getWorldTranslation()).as("not where its heir is").isEqualTo(last);
            assertThat(control.vanished).as("notified once").isEqualTo(1);
        }
        player.removeControl(control);
        assertThat(player.getLocalCullHint()).as("left as it was found").isEqualTo(CullHint.Never);
    }

    /** The usual reason to override it; the engine is in the middle of its update then. */
    @Test
    void shouldLetTheSpatialBeRemovedWhenItsBodyIsGone() {
        player.addControl(new BodyControl(view, BODY) {
            @Override
            protected void bodyVanished() {
                getSpatial().removeFromParent();
            }
        });
        spawnMoving();
        showFrame(0);
        world.tick(poses -> poses.despawn(BODY));
        world.tick();
        showFrame(0);
        assertThat(parent.getChildren()).isEmpty();
        showFrame(0.5f);
    }

    @Test
    void shouldRefuseASpatialThatFollowsABodyAlready() {
        player.addControl(control);
        BodyControl second = new BodyControl(view, BodyId.of(3, 5));
        assertThatIllegalStateException()
                .isThrownBy(() -> player.addControl(second))
                .withMessage("player (Node) cannot follow body 3#5: it follows body 0#1, remove that control first");
        assertThat(player.getNumControls()).isEqualTo(1);
        assertThat(second.getSpatial()).isNull();
        player.removeControl(control);
        player.addControl(second);
        assertThat(second.getSpatial()).isSameAs(player);
    }

    @Test
    void shouldRefuseAParentThatLeavesNoRoom() {
        player.addControl(control);
        parent.setLocalScale(1, 0, 1);
        spawnMoving();
        assertThatIllegalStateException()
                .isThrownBy(() -> showFrame(0))
                .withMessage("player (Node) cannot follow body 0#1 below parent (Node), whose scale is (1.0, 0.0, 1.0):"
                        + " cull what is not to be seen instead");
    }

    /** One metre a tick along x, turning; shown from (1, 2, 3) on. */
    private void spawnMoving() {
        world.tick(poses -> {
            poses.spawn(7);
            poses.set(0, 0, 2, 3, 0, 0, 0, 1);
        });
        world.tick(poses -> poses.set(0, 1, 2, 3, 0, 0, 0, 1));
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
    }

    /** As the engine does it. */
    private void showFrame(float alpha) {
        assertThat(view.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
        root.updateLogicalState(0.01f);
        root.updateGeometricState();
    }

    private final class Watching extends BodyControl {

        int vanished;

        Watching() {
            super(view, BODY);
        }

        @Override
        protected void bodyVanished() {
            assertThat(getSpatial().getLocalCullHint()).isEqualTo(CullHint.Always);
            vanished++;
        }
    }
}
