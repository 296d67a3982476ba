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
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
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
        assertThat(viewer.title()).contains("Usual game loop: waiting", "Escapement: waiting", "1 to 8 ms more");
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
    void shouldSlowStepsAsTheLoadSays() {
        assertThat(LongStream.range(0, 1000).map(StepLoad.NONE::nanos)).containsOnly(0L);
        assertThat(LongStream.range(0, 1000).map(StepLoad.OVERLOAD::nanos)).containsOnly(14 * MILLI);
        LongSummaryStatistics uneven =
                LongStream.range(0, 1000).map(StepLoad.UNEVEN::nanos).summaryStatistics();
        assertThat(uneven.getMin()).isBetween(MILLI, MILLI + 100_000);
        assertThat(uneven.getMax()).isBetween(8 * MILLI - 100_000, 8 * MILLI);
        assertThat(uneven.getAverage()).isBetween(4.4e6, 4.6e6);
        assertThat(StepLoad.NONE.next().next().next()).isEqualTo(StepLoad.NONE);
    }

    /** The left picture blends by the arrival of snapshots, so a step that takes 4 ms longer holds it up, and the strip shows this. */
    @Test
    void shouldStutterOnTheLeftAfterASlowStep() {
        ManualClock clock = new ManualClock(0);
        ErrorStrip errors = new ErrorStrip("Usual game loop", "", "");
        Timeline timeline = new Timeline(TickRate.hertz(100));
        timeline.start(0);
        try (InlineDriver driver =
                        PhysicsService.builder(new SpringSimulation(1)).inline(clock);
                TwoLatestView left = new TwoLatestView(driver.newReader())) {
            assertThat(left.advance(0)).as("nothing yet").isFalse();
            clock.advance(50 * MILLI);
            driver.runDueTicks(5);
            assertThat(left.advance(59 * MILLI)).isTrue();
            assertThat(left.shownSimNanos()).isEqualTo(49 * MILLI);
            errors.frame(left.shownSimNanos(), timeline, 59 * MILLI);
            clock.advance(14 * MILLI);
            driver.runDueTicks();
            assertThat(left.advance(64 * MILLI)).isTrue();
            assertThat(left.shownSimNanos()).as("4 ms too little").isEqualTo(50 * MILLI);
            errors.frame(left.shownSimNanos(), timeline, 64 * MILLI);
        }
        errors.image(); // drawing also computes the mean
        assertThat(errors.heading()).as("of both frames").isEqualTo("Usual game loop, error 2.0 ms");
    }
}
