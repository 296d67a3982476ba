package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_LEFT;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.ManualClock;
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

    /**
     * A slow step publishes its snapshot late. This disturbs the left picture, which blends by the arrival of snapshots, but not the right
     * one, which blends by the due times of ticks.
     */
    @Test
    void shouldStutterBySlowStepsOnTheLeftOnly() {
        ManualClock clock = new ManualClock(0);
        ErrorStrip leftErrors = new ErrorStrip(true);
        ErrorStrip rightErrors = new ErrorStrip(true);
        try (InlineDriver driver =
                PhysicsService.builder(new SpringSimulation(1)).maxReaders(2).inline(clock)) {
            TwoLatestView left = new TwoLatestView(driver.newReader());
            FrameView right = FrameView.of(driver.newReader());
            assertThat(left.advance(0)).as("nothing yet").isFalse();
            for (long frame = 1; frame <= 3000; frame++) {
                long lateNanos = frame % 40 == 0 ? 4_000_000 : 0; // every 40th frame: 4 ms late, as after a long step
                clock.advance(frame * 5 * MILLI + lateNanos - clock.nanoTime());
                driver.runDueTicks();
                long now = (frame + 1) * 5 * MILLI - 1; // just before the next tick's due time
                clock.advance(now - clock.nanoTime());
                boolean leftShown = left.advance(now);
                if (right.advance(now) && leftShown) {
                    Timeline timeline = right.window().timeline();
                    leftErrors.frame(left.shownSimNanos(), timeline, now);
                    rightErrors.frame(right.clock().shownSimNanos(), timeline, now);
                }
            }
        }
        leftErrors.image(); // drawing also computes the mean
        assertThat(leftErrors.meanMillis()).isGreaterThan(0.1);
        rightErrors.image();
        assertThat(rightErrors.meanMillis()).isLessThan(0.01);
    }
}
