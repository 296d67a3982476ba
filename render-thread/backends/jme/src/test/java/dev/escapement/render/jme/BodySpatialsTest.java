package dev.escapement.render.jme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.model.RandomSimulation;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.joml.Quaternionf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodySpatialsTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final Node root = new Node("root");
    private final Map<Long, Spatial> made = new HashMap<>();
    private final BodySpatials spatials = new BodySpatials(view, root, this::make);

    private Spatial make(long bodyId, long userData) {
        Node spatial = new Node("body " + userData);
        made.put(bodyId, spatial);
        return spatial;
    }

    /** Everything that a simulation may do, seen at every tick, or at some only. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldHaveAChildForEveryBodyWhereTheFrameShowsIt(int ticksPerFrame) {
        RandomSimulation simulation = new RandomSimulation(PoseLayout.PLAIN, false, ticksPerFrame);
        for (int tick = 1; tick <= 300; tick++) {
            simulation.moment(world.tick(simulation));
            if (tick % ticksPerFrame == 0 && tick >= 3) {
                for (float alpha : new float[] {0, 0.6f}) {
                    showFrame(alpha);
                    root.updateLogicalState(0.01f);
                    root.updateGeometricState();
                    assertChildrenAreTheBodies();
                }
            }
        }
        assertThat(made).hasSizeGreaterThan(root.getQuantity() + 500);
    }

    /** In the frame that a slot changes hands, the old spatial goes and the new one comes. */
    @Test
    void shouldNotMistakeABodyForTheOneThatHadItsSlot() {
        spawnOne(1);
        showFrame(0.5f);
        Spatial old = root.getChild("body 1");
        world.tick(poses -> {
            poses.despawn(BodyId.of(0, 1));
            poses.spawn(2);
            poses.set(0, 500, 0, 0, 0, 0, 0, 1);
        });
        showFrame(0.9f);
        assertThat(root.getChildren()).as("before the tick").containsExactly(old);
        assertThat(old.getLocalTranslation()).as("no streak").isEqualTo(new Vector3f(1, 2, 3));
        world.tick();
        showFrame(0);
        assertThat(root.getChildren()).extracting(Spatial::getName).containsExactly("body 2");
        assertThat(old.getParent()).isNull();
        assertThat(root.getChild(0).getLocalTranslation()).isEqualTo(new Vector3f(500, 0, 0));
    }

    @Test
    void shouldShowNoStreakWhenABodyTeleports() {
        spawnOne(1);
        world.tick(poses -> {
            poses.teleport(0);
            poses.set(0, 1000, 0, 0, 0, 0, 0, 1);
        });
        for (float alpha : new float[] {0, 0.01f, 0.5f, 0.99f}) {
            showFrame(alpha);
            assertThat(root.getChild(0).getLocalTranslation()).isEqualTo(new Vector3f(1, 2, 3));
        }
        world.tick();
        showFrame(0);
        assertThat(root.getChild(0).getLocalTranslation()).isEqualTo(new Vector3f(1000, 0, 0));
    }

    /** The node stands for the world, so what is done to it is done to all bodies; their models have their own scale. */
    @Test
    void shouldPlaceSpatialsInTheAxesOfTheirNode() {
        SceneOrigin origin = new SceneOrigin();
        Node model = new Node("model");
        model.setLocalScale(3);
        BodySpatials moved = new BodySpatials(view, root, (bodyId, userData) -> model, origin);
        root.setLocalTranslation(10, 0, 0);
        root.setLocalRotation(new Quaternion(0, 1, 0, 0)); // half a turn around y
        origin.set(1, 0, 0);
        spawnOne(1);
        view.advance(world.timeline().dueNanos(world.ticks()));
        moved.update();
        root.updateGeometricState();
        assertThat(model.getWorldTranslation()).isEqualTo(new Vector3f(10, 2, -3));
        assertThat(model.getWorldScale()).isEqualTo(new Vector3f(3, 3, 3));
    }

    @Test
    void shouldSayWhatToDoAboutABodyWithoutASpatial() {
        BodySpatials without = new BodySpatials(view, root, (bodyId, userData) -> nothing());
        spawnOne(42);
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
        spawnOne(1);
        world.tick(poses -> {
            poses.spawn(2);
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        });
        world.tick();
        assertThatIllegalStateException()
                .isThrownBy(() -> shared.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage(
                        "the factory's answer to body 1#1 (user data 2) was only (Node), which is in use, a child of"
                                + " root (Node): return another for each body, a clone() say");
        assertThat(root.getChildren()).containsExactly(only);
    }

    @Test
    void shouldRefuseASpatialThatFollowsABodyAlready() {
        Node player = new Node("player");
        player.addControl(new BodyControl(view, BodyId.of(5, 1)));
        BodySpatials both = new BodySpatials(view, root, (bodyId, userData) -> player);
        spawnOne(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> both.advance(world.timeline().dueNanos(world.ticks())))
                .withMessageContaining("player (Node), which follows a body by a BodyControl: remove the control");
        assertThat(root.getChildren()).isEmpty();
    }

    @Test
    void shouldRefuseAViewOfAnotherThreadAndAClosedOne() {
        spawnOne(1);
        showFrame(0);
        assertThatThrownBy(() -> CompletableFuture.runAsync(spatials::update).join())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to one thread");
        view.close();
        assertThatIllegalStateException().isThrownBy(spatials::update).withMessageContaining("detached");
        assertThatIllegalStateException().isThrownBy(() -> showFrame(0.5f)).withMessageContaining("detached");
    }

    /** Without a check of the compiler's, as most of our users are. */
    @SuppressWarnings("NullAway")
    private static Spatial nothing() {
        return null;
    }

    /** Slot 0, seen from the next frame on. */
    private void spawnOne(long userData) {
        world.tick(poses -> {
            poses.spawn(userData);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
        });
        world.tick();
        world.tick();
    }

    private void showFrame(float alpha) {
        assertThat(spatials.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
    }

    /** Asks AssertJ only once a frame: there are a million bodies in all of them. */
    private void assertChildrenAreTheBodies() {
        Snapshot shown = view.shown();
        Bodies bodies = shown.bodies();
        assertThat(root.getQuantity()).isEqualTo(bodies.count());
        List<String> wrong = new ArrayList<>();
        org.joml.Vector3f p = new org.joml.Vector3f();
        Quaternionf q = new Quaternionf();
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                Spatial spatial = Objects.requireNonNull(made.get(bodies.id(slot)));
                view.positionOfSlot(slot, p);
                view.rotationOfSlot(slot, q);
                Vector3f place = new Vector3f((float) (p.x + shown.originX()), (float) (p.y + shown.originY()), (float)
                        (p.z + shown.originZ()));
                Quaternion turn = new Quaternion(q.x, q.y, q.z, q.w);
                if (!Objects.equals(spatial.getParent(), root)
                        || !spatial.getName().equals("body " + bodies.userData(slot))
                        || !spatial.getWorldTranslation().equals(place)
                        || !spatial.getWorldRotation().equals(turn)) {
                    wrong.add(spatial.getName() + " at " + spatial.getWorldTranslation() + " "
                            + spatial.getWorldRotation() + " for " + bodies.userData(slot) + " at " + place + " "
                            + turn);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }
}
