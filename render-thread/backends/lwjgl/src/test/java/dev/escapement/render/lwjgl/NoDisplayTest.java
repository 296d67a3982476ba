package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_COCOA;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_WIN32;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.Platform;

class NoDisplayTest {

    private static final SceneView SCENE = new SceneView(5, 1, 4);

    @Test
    void shouldReportAMissingPlatformInOneLine() {
        int elsewhere = Platform.get() == Platform.WINDOWS ? GLFW_PLATFORM_COCOA : GLFW_PLATFORM_WIN32;
        PrintStream realErr = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThatThrownBy(() -> GlfwWindow.open(elsewhere, "test", 320, 240, new SceneDrawing(SCENE)))
                    .isInstanceOf(NoDisplayException.class)
                    .hasMessageStartingWith("cannot open a window, there is no display: ")
                    .hasMessageContaining("GLFW error 0x")
                    .hasMessageContaining("xvfb-run")
                    .message()
                    .doesNotContain("\n");
        } finally {
            System.setErr(realErr);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
        // After the failure, GLFW can be used for another platform, so that a picture can be drawn.
        TestPicture.open(SCENE).close();
    }
}
