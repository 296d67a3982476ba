package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.view.ViewMouse.Look;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.SceneView;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class ViewMouseTest {

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int MIDDLE = 2;
    private static final SceneView SCENE = new SceneView(10, 0.5f, 5, 0);

    private final ViewMouse mouse = new ViewMouse(true);

    @Test
    void shouldTurnTheCameraWithTheRightButton() {
        Look before = mouse.look();
        assertThat(mouse.moved(0.5, 0.5)).as("no button").isFalse();
        assertThat(mouse.look()).isEqualTo(before);
        assertThat(mouse.button(RIGHT, true, 0.5, 0.5)).isTrue();
        assertThat(mouse.moved(0.6, 0.6)).isTrue();
        Look after = mouse.look();
        assertThat(after.azimuth()).as("the world turns with the pointer").isNegative();
        assertThat(after.elevation()).isPositive();
        mouse.button(RIGHT, false, 0.6, 0.6);
        assertThat(mouse.moved(0.9, 0.9)).isFalse();
        assertThat(mouse.look()).isEqualTo(after);
    }

    @Test
    void shouldMoveTheWorldWithTheMiddleButtonAsFarAsThePointer() {
        Camera before = mouse.look().camera(SCENE, 1280, 1280, 720);
        mouse.button(MIDDLE, true, 0.5, 0.5);
        mouse.moved(0.6, 0.4);
        Camera after = mouse.look().camera(SCENE, 1280, 1280, 720);
        // A point as far away as what the camera looks at; others move by a little more or less.
        Vector3f was = before.worldToClip().transformProject(new Vector3f());
        Vector3f is = after.worldToClip().transformProject(new Vector3f());
        assertThat((is.x - was.x) / 2).as("a tenth of the width").isBetween(0.08f, 0.12f);
        assertThat((is.y - was.y) / 2).as("a tenth of the height").isBetween(0.08f, 0.12f);
    }

    @Test
    void shouldComeNearerWithTheWheelAndNotForEver() {
        mouse.scrolled(1);
        assertThat(mouse.look().zoom()).isLessThan(1).isGreaterThan(0.8);
        mouse.scrolled(-1);
        assertThat(mouse.look().zoom()).isBetween(0.999, 1.001);
        mouse.scrolled(1000);
        assertThat(mouse.look().zoom()).isEqualTo(0.05);
        mouse.scrolled(-1000);
        assertThat(mouse.look().zoom()).isEqualTo(5);
    }

    @Test
    void shouldTellOfTheLeftButtonAndOfEveryPress() {
        mouse.button(LEFT, true, 0.1, 0.2);
        mouse.moved(0.3, 0.4);
        assertThat(mouse.pointer()).isEqualTo(new ViewMouse.Pointer(0.3, 0.4, true, 1));
        mouse.button(LEFT, false, 0.3, 0.4);
        assertThat(mouse.pointer().held()).isFalse();
        mouse.button(LEFT, true, 0.5, 0.5);
        assertThat(mouse.pointer().presses()).isEqualTo(2);
        assertThat(new ViewMouse(false).button(LEFT, true, 0, 0)).isFalse();
        assertThat(mouse.button(5, true, 0, 0))
                .as("a button without a meaning here")
                .isFalse();
    }
}
