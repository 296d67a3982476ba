package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_SPACE;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_UNKNOWN;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.GLFW_RELEASE;
import static org.lwjgl.glfw.GLFW.GLFW_REPEAT;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class WindowInputTest {

    private static final float SKY = 30;

    private final Camera camera = Camera.framing(new SceneView(20, 0.5f, 13.25f), 640, 480);
    private final InputRing ring = new InputRing(4, () -> 1000);
    private final WindowInput input = new WindowInput(ring);

    @Test
    void shouldOfferKeysWithoutRepeats() {
        input.key(10, GLFW_KEY_SPACE, GLFW_PRESS);
        input.key(11, GLFW_KEY_SPACE, GLFW_REPEAT);
        input.key(12, GLFW_KEY_SPACE, GLFW_RELEASE);
        input.key(13, GLFW_KEY_UNKNOWN, GLFW_PRESS);
        InputFrame frame = taken();
        assertThat(frame.size()).isEqualTo(2);
        assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
        assertThat(frame.event(0).code()).isEqualTo(GLFW_KEY_SPACE);
        assertThat(frame.event(0).timeNanos()).isEqualTo(10);
        assertThat(frame.event(1).kind()).isEqualTo(InputKind.KEY_UP);
        assertThat(frame.event(1).timeNanos()).isEqualTo(12);
    }

    @Test
    void shouldOfferButtonsWithTheirPlaceOnTheFloor() {
        input.buttonOnFloor(1, 0, GLFW_PRESS, camera, 0, SKY);
        input.buttonOnFloor(2, 0, GLFW_RELEASE, camera, 0, 0);
        assertThat(ring.accepted()).as("pressed on the sky").isZero();
        Vector3f seen = camera.worldToClip().transformProject(new Vector3f(3, 0, -4));
        input.buttonOnFloor(10, 1, GLFW_PRESS, camera, seen.x, seen.y);
        input.buttonOnFloor(20, 1, GLFW_RELEASE, camera, 0, SKY);
        InputFrame frame = taken();
        assertThat(frame.size()).isEqualTo(2);
        assertThat(frame.event(0).kind()).isEqualTo(InputKind.POINTER_DOWN);
        assertThat(frame.event(1).kind()).isEqualTo(InputKind.POINTER_UP);
        for (int i = 0; i < 2; i++) {
            assertThat(frame.event(i).code()).isEqualTo(1);
            assertThat(frame.event(i).x()).isCloseTo(3, within(0.01f));
            assertThat(frame.event(i).y()).isCloseTo(-4, within(0.01f));
        }
    }

    private InputFrame taken() {
        return new InputSampler(ring).sample(0, 1000);
    }
}
