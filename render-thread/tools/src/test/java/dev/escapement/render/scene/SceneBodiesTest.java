package dev.escapement.render.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.escapement.render.FrameView;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.RandomSimulation;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SceneBodiesTest {

    private static final int BODIES = 1500;
    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final SceneOrigin origin = new SceneOrigin();
    private final RecordedScene scene = new RecordedScene();

    /** Runs a random simulation with all changes that are allowed, and looks at every tick or at every fifth. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void shouldPlaceANodeForEveryBody(int ticksPerFrame) {
        RandomSimulation simulation = new RandomSimulation(PoseLayout.PLAIN, ticksPerFrame);
        float[] alphas = {0, 0.3f, 0.3f, 0.9f};
        for (int tick = 1; tick <= 150; tick++) {
            simulation.check(world.tick(simulation));
            if (tick % 40 == 0) {
                origin.set(tick, -7.25, 1e6 * tick);
            }
            if (tick % ticksPerFrame == 0 && tick >= 3) {
                for (float alpha : alphas) {
                    showFrame(alpha);
                    assertNodesAreTheBodies();
                }
            }
        }
        assertThat(scene.removals).isGreaterThan(200);
    }

    @Test
    void shouldLeaveBlocksAloneThatRestUntilTheyMove() {
        spawnAndShow();
        world.tick();
        world.tick();
        showFrame(0.5f);
        scene.placements = 0;
        world.tick();
        showFrame(0.25f);
        showFrame(0.75f);
        assertThat(scene.placements).isZero();
        world.tick(poses -> poses.set(BODIES - 1, 3, 2, 1, 0, 0, 0, 1));
        showFrame(0.5f);
        assertThat(scene.placements)
                .as("the bodies that share a block with the one that moves")
                .isEqualTo(BODIES - 1024);
        assertNodesAreTheBodies();
    }

    @Test
    void shouldRemoveAllOldNodesIfOneFails() {
        spawnAndShow();
        CapturedWorld nextWorld = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        FrameView next = FrameView.inline(nextWorld.newReader());
        scene.show(next);
        showFrame(0.5f);
        assertThat(scene.view()).as("the next has no window yet").isSameAs(view);
        nextWorld.spawnShown(77);
        long nanos = nextWorld.timeline().dueNanos(nextWorld.ticks());
        scene.unremovableUserData = 700;
        assertThatThrownBy(() -> scene.advance(nanos)).hasMessage("cannot remove 700");
        assertThat(scene.removals).isEqualTo(BODIES);
        assertThat(scene.advance(nanos)).isTrue();
        assertThat(scene.nodes.values()).extracting(node -> node.userData).containsExactly(77L);
        assertThat(scene.nodes.values()).extracting(node -> node.position.y).containsExactly(2f);
        assertThatIllegalStateException().as("closed").isThrownBy(view::shown).withMessageContaining("was detached");
        scene.close();
        assertThatIllegalStateException().as("closed").isThrownBy(next::shown).withMessageContaining("was detached");
    }

    @Test
    void shouldMoveWhatRestsWhenTheScenesOriginMoves() {
        spawnAndShow();
        world.tick();
        world.tick();
        showFrame(0.5f);
        origin.set(0, 0, 0.5);
        showFrame(0.75f);
        assertNodesAreTheBodies();
        scene.placements = 0;
        showFrame(0.875f);
        assertThat(scene.placements).isZero();
    }

    /**
     * The body and both origins are so far from zero that neighbouring floats are 2 m apart or more. The body's place must be exact to a
     * micrometre.
     */
    @Test
    void shouldLoseNothingFarFromZero() {
        long[] body = new long[1];
        world.tick(poses -> {
            poses.origin(33_554_432.125, -33_554_432.25, 33_554_432.5);
            body[0] = poses.spawn(7);
            poses.set(0, 33_554_432, -33_554_432, 33_554_432, 0, 0, 0, 1);
        });
        world.tick();
        world.tick();
        origin.set(67_108_864.5, -67_108_863.5, 67_108_864.75);
        showFrame(0.5f);
        assertThat(Objects.requireNonNull(scene.nodes.get(body[0])).position)
                .isEqualTo(new Vector3f(-0.375f, -0.75f, -0.25f));
    }

    @ParameterizedTest
    @CsvSource({"NaN, 0, 0", "0, Infinity, 0", "0, 0, NaN"})
    void shouldRefuseAnOriginThatIsNone(double x, double y, double z) {
        origin.set(1, 2, 3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> origin.set(x, y, z))
                .withMessageContaining("must be finite, but is to be at (");
        assertThat(new double[] {origin.x, origin.y, origin.z}).containsExactly(1, 2, 3);
    }

    @Test
    void shouldResumeWithoutTheNodesThatWereRefused() {
        scene.refusedUserData = 700;
        world.tick(SceneBodiesTest::spawn);
        world.tick();
        world.tick();
        assertThatIllegalStateException()
                .isThrownBy(() -> showFrame(0.5f))
                .withMessage("the factory's answer to body 700#1 (user data 700) was no good");
        assertThat(scene.nodes.values())
                .as("all others have been added and placed")
                .hasSize(BODIES - 1)
                .noneMatch(node -> Float.isNaN(node.position.x));
        showFrame(0.75f);
        assertThat(scene.nodes).hasSize(BODIES - 1);
        world.tick(poses -> {
            for (int slot = 0; slot < BODIES; slot++) {
                poses.despawn(BodyId.of(slot, 1));
            }
        });
        world.tick();
        showFrame(0.5f);
        assertThat(scene.nodes).isEmpty();
        assertThat(scene.removals).isEqualTo(BODIES - 1);
    }

    @Test
    void shouldAllocateNothingInAFrame() {
        spawnAndShow();
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewestBytes = Long.MAX_VALUE;
        world.tick(poses -> poses.set(5, 3, 2, 1, 0, 0, 0, 1));
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int frame = 0; frame < 100; frame++) {
                scene.advance(world.timeline().dueNanos(world.ticks()) + (round * 100 + frame) * TICK_NANOS / 2000);
            }
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(fewestBytes).isZero();
    }

    private static void spawn(PoseWriter poses) {
        for (int slot = 0; slot < BODIES; slot++) {
            poses.spawn(slot);
            poses.set(slot, slot, 0.1f, -0.3f, 0.6f, 0, 0, 0.8f);
        }
    }

    private void spawnAndShow() {
        world.tick(SceneBodiesTest::spawn);
        world.tick();
        world.tick();
        showFrame(0);
        assertThat(scene.nodes).hasSize(BODIES);
    }

    private void showFrame(float alpha) {
        assertThat(scene.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
    }

    private void assertNodesAreTheBodies() {
        Snapshot shown = view.shown();
        Bodies bodies = shown.bodies();
        Vector3f position = new Vector3f();
        Quaternionf rotation = new Quaternionf();
        int live = 0;
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                Node node = Objects.requireNonNull(scene.nodes.get(bodies.id(slot)));
                view.positionOfSlot(slot, position);
                position.set(
                        (float) (position.x + (shown.originX() - origin.x)),
                        (float) (position.y + (shown.originY() - origin.y)),
                        (float) (position.z + (shown.originZ() - origin.z)));
                view.rotationOfSlot(slot, rotation);
                if (node.userData != bodies.userData(slot)
                        || !node.position.equals(position)
                        || !node.rotation.equals(rotation)) { // assertThat would take a minute for a million nodes
                    fail("tick " + shown.tick() + ", slot " + slot + ": at " + node.position + " and not " + position);
                }
                live++;
            }
        }
        assertThat(scene.nodes).hasSize(live);
    }

    private record Node(long bodyId, long userData, Vector3f position, Quaternionf rotation, AtomicBoolean removed) {}

    private final class RecordedScene extends SceneBodies<Node> {

        final Map<Long, Node> nodes = new HashMap<>();
        long refusedUserData = -1;
        long unremovableUserData = -1;
        int removals;
        int placements;

        RecordedScene() {
            super(view, origin);
        }

        @Override
        protected Node add(long bodyId, long userData) {
            if (userData == refusedUserData) {
                throw refusal(bodyId, userData, "no good");
            }
            Node node = new Node(bodyId, userData, new Vector3f(Float.NaN), new Quaternionf(), new AtomicBoolean());
            assertThat(nodes.put(bodyId, node)).as("added twice").isNull();
            return node;
        }

        @Override
        protected void remove(Node node) {
            assertThat(nodes.remove(node.bodyId)).isSameAs(node);
            node.removed.set(true);
            removals++;
            if (node.userData == unremovableUserData) {
                throw new IllegalArgumentException("cannot remove " + node.userData);
            }
        }

        @Override
        protected void place(Node node, float x, float y, float z, float qx, float qy, float qz, float qw) {
            if (node.removed.get()) {
                throw new AssertionError("placed after its body was gone");
            }
            node.position.set(x, y, z);
            node.rotation.set(qx, qy, qz, qw);
            placements++;
        }
    }
}
