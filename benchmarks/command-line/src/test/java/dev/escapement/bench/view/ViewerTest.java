package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_2;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_3;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_B;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_EQUAL;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_F1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_KP_ADD;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_L;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_LEFT;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_MINUS;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_N;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_P;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_R;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.GLFW_RELEASE;
import static org.lwjgl.glfw.GLFW.GLFW_REPEAT;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.view.Viewer.Abilities;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ViewerTest {

    private static final SceneView SCENE = new SceneView(10, 0.5f, 5, 0);
    private static final int BODIES = 3;

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver world =
            PhysicsService.builder(new SpringSimulation(BODIES)).maxReaders(4).inline(clock);
    private Viewer viewer = new Viewer(SCENE, new Abilities(BODIES, true, () -> new SpringSimulation(BODIES)));

    @AfterEach
    void end() {
        viewer.end();
        world.close();
    }

    @Test
    void shouldPauseStepAndGoOn() {
        begin();
        assertThat(ticksIn(100)).isEqualTo(10);
        press(GLFW_KEY_P);
        assertThat(time().isPaused()).isTrue();
        assertThat(ticksIn(100)).as("the one that was to come").isLessThanOrEqualTo(1);
        assertThat(ticksIn(100)).isZero();
        press(GLFW_KEY_N);
        assertThat(ticksIn(0) + ticksIn(10) + ticksIn(50)).isEqualTo(1);
        viewer.key(0, GLFW_KEY_N, GLFW_REPEAT);
        assertThat(ticksIn(0) + ticksIn(10) + ticksIn(50)).as("held down").isEqualTo(1);
        press(GLFW_KEY_P);
        assertThat(time().isPaused()).isFalse();
        assertThat(ticksIn(0) + ticksIn(100)).isBetween(9, 10);
    }

    /** It has keys of its own, and nothing here is to pause or to start over. */
    @Test
    void shouldLeaveTheKeysToAWorldOfAnotherProcess() {
        viewer.begin(world.input());
        assertThat(viewer.key(0, GLFW_KEY_P, GLFW_PRESS)).isFalse();
        assertThat(viewer.key(0, GLFW_KEY_R, GLFW_PRESS)).isFalse();
        assertThat(viewer.wantsRestart()).isFalse();
        assertThat(viewer.time()).isNull();
    }

    @Test
    void shouldChangeTheSpeedWithinBounds() {
        begin();
        press(GLFW_KEY_MINUS);
        assertThat(time().timeScale()).hasToString("1/2");
        assertThat(world.timeScale()).hasToString("1/2");
        press(GLFW_KEY_EQUAL);
        press(GLFW_KEY_KP_ADD);
        assertThat(world.timeScale()).hasToString("2");
        for (int i = 0; i < 20; i++) {
            press(GLFW_KEY_KP_ADD);
        }
        assertThat(world.timeScale()).hasToString("4");
        for (int i = 0; i < 20; i++) {
            press(GLFW_KEY_MINUS);
        }
        assertThat(world.timeScale()).hasToString("1/16");
        assertThat(time().changes()).as("each that had an effect").isEqualTo(3 + 1 + 6);
    }

    @Test
    void shouldShowAndHideAndSplitAndSlowDown() {
        begin();
        assertThat(viewer.settings().figures()).as("so that the keys are found").isTrue();
        press(GLFW_KEY_F1);
        assertThat(viewer.settings().figures()).isFalse();
        press(GLFW_KEY_B);
        assertThat(viewer.settings().beside()).isTrue();
        assertThat(viewer.settings().rule()).isEqualTo(LoopRule.NEWEST);
        press(GLFW_KEY_B);
        assertThat(viewer.settings().beside()).isFalse();
        press(GLFW_KEY_2);
        assertThat(viewer.settings().beside())
                .as("a rule asks for the left side")
                .isTrue();
        assertThat(viewer.settings().rule()).isEqualTo(LoopRule.BY_ARRIVAL);
        press(GLFW_KEY_1);
        assertThat(viewer.settings().rule()).isEqualTo(LoopRule.NEWEST);
        press(GLFW_KEY_L);
        assertThat(viewer.settings().slow()).isTrue();
        assertThat(viewer.wantsRestart()).isFalse();
        assertThat(time().changes()).as("none of it is about time").isZero();
    }

    @Test
    void shouldStartOverForALoopWithAWorldOfItsOwn() {
        begin();
        press(GLFW_KEY_3);
        assertThat(viewer.wantsRestart()).isTrue();
        begin();
        assertThat(viewer.wantsRestart()).isFalse();
        press(GLFW_KEY_1);
        assertThat(viewer.wantsRestart()).as("the other world ends").isTrue();
        viewer.end();
        begin();
        press(GLFW_KEY_R);
        assertThat(viewer.wantsRestart()).isTrue();
    }

    @Test
    void shouldNotStartOverWhereThatCannotBe() {
        viewer = new Viewer(SCENE, new Abilities(0, false, null));
        begin();
        press(GLFW_KEY_R);
        press(GLFW_KEY_3);
        assertThat(viewer.wantsRestart()).isFalse();
        assertThat(viewer.settings().rule()).isEqualTo(LoopRule.NEWEST);
        assertThat(viewer.button(0, 0, GLFW_PRESS, 0.5, 0.5))
                .as("whose controls are not known is told of buttons")
                .isFalse();
    }

    @Test
    void shouldLeaveTheOtherKeysToTheSimulation() {
        assertThat(viewer.key(0, GLFW_KEY_P, GLFW_PRESS)).as("nothing is shown").isFalse();
        begin();
        assertThat(viewer.key(0, GLFW_KEY_LEFT, GLFW_PRESS)).isFalse();
        assertThat(viewer.key(0, GLFW_KEY_P, GLFW_RELEASE)).isTrue();
        assertThat(time().changes()).isZero();
        assertThat(viewer.pointer(0, 0.2, 0.2)).isFalse();
        assertThat(viewer.button(0, 1, GLFW_PRESS, 0.2, 0.2)).isTrue();
        assertThat(viewer.pointer(0, 0.3, 0.2)).as("turns the camera").isTrue();
    }

    @Test
    void shouldNameEveryKeyInTheHelp() {
        String keys = String.join("\n", Viewer.KEYS);
        assertThat(keys).contains("F1", "P ", "N ", "+ -", "R ", "B ", "1 ", "2 ", "3 ", "L ", "Esc", "mouse", "space");
    }

    private void begin() {
        viewer.begin(world, TickRate.hertz(60), System.nanoTime());
    }

    private WorldTime time() {
        return Objects.requireNonNull(viewer.time());
    }

    private int ticksIn(int millis) {
        clock.advance(millis * 1_000_000L);
        return world.runDueTicks();
    }

    private void press(int key) {
        assertThat(viewer.key(0, key, GLFW_PRESS)).isTrue();
        viewer.key(0, key, GLFW_RELEASE);
    }
}
