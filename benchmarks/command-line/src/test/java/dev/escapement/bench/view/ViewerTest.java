package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_LEFT;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.ManualClock;
import java.util.stream.LongStream;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ViewerTest {

    private static final SceneView SCENE = new SceneView(10, 0.5f, 5);
    private static final long MILLI = 1_000_000;

    private final Viewer viewer = new Viewer(SCENE, false);
    private final InlineDriver world = PhysicsService.builder(viewer.slowed(new SpringSimulation(3)))
            .maxReaders(4)
            .inline(new ManualClock(0));

    @AfterEach
    void end() {
        world.close();
    }

    @Test
    void shouldSayInItsTitleWhatItShows() {
        assertThat(viewer.title()).isEqualTo("Escapement");
        viewer.begin(world);
        assertThat(viewer.title()).isEqualTo("Escapement   " + Viewer.KEYS);
        assertThat(viewer.key(0, GLFW_KEY_B, GLFW_PRESS)).isTrue();
        assertThat(viewer.key(0, GLFW_KEY_L, GLFW_PRESS)).isTrue();
        assertThat(viewer.title())
                .contains("left: the two latest", "right: Escapement", "error 0.00 ms", "1 to 8 ms more");
    }

    @Test
    void shouldLeaveTheOtherKeysToTheSimulation() {
        assertThat(viewer.key(0, GLFW_KEY_B, GLFW_PRESS)).as("nothing is shown").isFalse();
        viewer.begin(world);
        assertThat(viewer.key(0, GLFW_KEY_LEFT, GLFW_PRESS)).isFalse();
        assertThat(viewer.pointer(0, 0.2, 0.2)).isFalse();
        assertThat(viewer.button(0, 1, GLFW_PRESS, 0.2, 0.2)).isTrue();
        assertThat(viewer.pointer(0, 0.3, 0.2)).as("turns the camera").isTrue();
        assertThat(viewer.wheel(0, 0, 1)).as("moves the camera").isTrue();
        assertThat(new Viewer(SCENE, true).button(0, 0, GLFW_PRESS, 0.5, 0.5))
                .as("a world of one's own")
                .isFalse();
    }

    @Test
    void shouldMoveTheWorldByTheMiddleButton() {
        Vector3f moved =
                seen(Look.AT_FIRST.moved(0.1, -0.1)).sub(seen(Look.AT_FIRST)).div(2);
        assertThat(moved.x).as("a tenth of the width").isBetween(0.08f, 0.12f);
        assertThat(moved.y).as("a tenth of the height").isBetween(0.08f, 0.12f);
        assertThat(Look.AT_FIRST.turned(0.1, 0.1).azimuth()).isNegative();
        assertThat(Look.AT_FIRST.nearer(1).zoom()).isBetween(0.8, 0.99);
        assertThat(Look.AT_FIRST.nearer(1000).zoom()).isEqualTo(0.05);
    }

    @Test
    void shouldSlowStepsAsTheLoadSays() {
        assertThat(LongStream.range(0, 1000).map(StepLoad.NONE::nanos)).containsOnly(0L);
        assertThat(LongStream.range(0, 1000).map(StepLoad.OVERLOAD::nanos)).containsOnly(14 * MILLI);
        assertThat(LongStream.range(0, 1000).map(StepLoad.UNEVEN::nanos).summaryStatistics())
                .matches(nanos -> nanos.getMin() >= MILLI && nanos.getMin() < 1.1 * MILLI)
                .matches(nanos -> nanos.getMax() <= 8 * MILLI && nanos.getMax() > 7.9 * MILLI)
                .matches(nanos -> Math.abs(nanos.getAverage() - 4.5 * MILLI) < 0.1 * MILLI);
        assertThat(StepLoad.NONE.next().next().next()).isEqualTo(StepLoad.NONE);
    }

    private static Vector3f seen(Look look) {
        return look.camera(SCENE, 1280, 1280, 720).worldToClip().transformProject(new Vector3f());
    }
}
