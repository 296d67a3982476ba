package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.view.BodyDrag.Pointer;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class BodyDragTest {

    private static final int GENERATION = 5;
    private static final SceneView SCENE = new SceneView(10, 0.5f, 5, 0);

    private final Camera camera = Camera.framing(SCENE, 640, 360);
    private final WritableSnapshot shown = new WritableSnapshot(3, PoseLayout.PLAIN);
    private final PoseBlocks poses = shown.poses();
    private final ManualClock clock = new ManualClock(0);
    private final BodyDrag drag = new BodyDrag(2, 0.5f, clock);
    private final InputRing ring = new InputRing(16, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final List<Offered> offered = new ArrayList<>();

    private record Offered(InputKind kind, int code, float x, float y) {}

    BodyDragTest() {
        shown.resize(3);
        for (int slot = 0; slot < 3; slot++) {
            shown.bodyBlock(0).spawn(slot, GENERATION, 0, 0);
        }
        Quaternionf tilted = new Quaternionf().rotateY(0.7f);
        put(0, new Vector3f(2, 3, 1), tilted);
        put(1, new Vector3f(-3, 0.5f, -2), new Quaternionf());
        put(2, new Vector3f(4, 0.5f, 6), new Quaternionf()); // none of those that can be dragged
    }

    @Test
    void shouldTakeHoldOfTheBodyThatIsSeenDragItAndLetGo() {
        Vector3f seen = seen(2, 3, 1);
        frame(true, 1, seen);
        assertThat(offered).containsExactly(new Offered(InputKind.APPLICATION, DragInput.HOLD, 0, GENERATION << 4));
        frame(true, 1, seen);
        assertThat(offered).as("not moved").hasSize(1);

        Vector3f wanted = seen(4, 4, 1);
        frame(true, 1, wanted);
        assertThat(offered).hasSize(4);
        Offered height = offered.get(2);
        Offered to = offered.get(3);
        assertThat(height.code()).isEqualTo(DragInput.HEIGHT);
        assertThat(to.code()).isEqualTo(DragInput.TO);
        Vector3f shown = seen(to.x(), height.x(), to.y());
        assertThat(shown.x).as("under the pointer").isCloseTo(wanted.x, within(0.02f));
        assertThat(shown.y).isCloseTo(wanted.y, within(0.02f));

        frame(false, 1, wanted);
        assertThat(offered.get(4)).isEqualTo(new Offered(InputKind.APPLICATION, DragInput.END, 0, 0));
        frame(false, 1, seen);
        assertThat(offered).hasSize(5);
    }

    @Test
    void shouldNotDragABodyBelowTheFloor() {
        frame(true, 1, seen(-3, 0.5f, -2));
        frame(true, 1, new Vector3f(0, -0.99f, 0));
        assertThat(offered.get(2).x()).as("its height").isEqualTo(0.5f);
    }

    @Test
    void shouldTakeTheNearerOfTwoBodies() {
        Vector3f ray = camera.direction(0.1f, 0.1f, new Vector3f());
        put(0, new Vector3f(ray).mul(30).add(camera.eye()), new Quaternionf());
        put(1, new Vector3f(ray).mul(20).add(camera.eye()), new Quaternionf());
        frame(true, 1, new Vector3f(0.1f, 0.1f, 0));
        assertThat(offered.get(0).x()).isEqualTo(1);
    }

    @Test
    void shouldPressOnTheFloorBesideAllBodies() {
        frame(true, 1, seen(-6, 0, 5));
        assertThat(offered).hasSize(1);
        assertThat(offered.get(0).kind()).isEqualTo(InputKind.POINTER_DOWN);
        assertThat(offered.get(0).x()).isCloseTo(-6, within(0.05f));
        assertThat(offered.get(0).y()).isCloseTo(5, within(0.05f));
        frame(false, 1, new Vector3f());
        assertThat(offered.get(1).kind()).isEqualTo(InputKind.POINTER_UP);
        assertThat(offered).hasSize(2);
    }

    @Test
    void shouldNotMissAPressThatIsOverBeforeTheFrame() {
        frame(false, 1, seen(2, 3, 1));
        assertThat(offered).extracting(Offered::code).containsExactly(DragInput.HOLD, DragInput.END);
        frame(false, 2, new Vector3f(0, 30, 0));
        assertThat(offered).as("the sky").hasSize(2);
    }

    /** Each is offered again in the next frame, and once. */
    @Test
    void shouldOfferAgainWhatAFullRingRefused() {
        Vector3f seen = seen(2, 3, 1);
        Vector3f moved = seen(4, 4, 1);
        for (boolean held : new boolean[] {true, true, false}) {
            while (ring.offer(0, InputKind.APPLICATION, 0, 0, 0)) {
                // until it is full
            }
            frame(held, 1, offered.isEmpty() ? seen : moved);
            offered.removeIf(one -> one.code() == 0);
            frame(held, 1, offered.isEmpty() ? seen : moved);
        }
        frame(false, 1, moved);
        assertThat(offered)
                .extracting(Offered::code)
                .containsExactly(DragInput.HOLD, DragInput.REMAINDER, DragInput.HEIGHT, DragInput.TO, DragInput.END);
    }

    private void frame(boolean held, long presses, Vector3f at) {
        double across = (at.x + 1) / 2;
        drag.frame(new Pointer(across, (1 - at.y) / 2, held, presses), across, camera, poses, shown.bodies(), ring);
        InputFrame frame = sampler.sample(0, 0);
        for (int i = 0; i < frame.size(); i++) {
            InputEvent e = frame.event(i);
            offered.add(new Offered(e.kind(), e.code(), e.x(), e.y()));
        }
    }

    private Vector3f seen(float x, float y, float z) {
        return camera.worldToClip().transformProject(new Vector3f(x, y, z));
    }

    private void put(int slot, Vector3f at, Quaternionf q) {
        poses.blockOf(slot).set(slot, at.x, at.y, at.z, q.x, q.y, q.z, q.w);
    }
}
