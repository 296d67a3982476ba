package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import java.awt.image.BufferedImage;
import org.joml.Vector3f;
import org.junit.jupiter.api.Assumptions;

/** Opens pictures for the tests, and reads the colours of places in them. */
final class TestPicture {

    static final int WIDTH = 320;
    static final int HEIGHT = 240;

    private TestPicture() {}

    static OffscreenPicture open(SceneView scene) {
        return open(new SceneDrawing(scene));
    }

    /** Opens a picture; skips the test where there is no OpenGL. */
    static OffscreenPicture open(SceneDrawing drawing) {
        try {
            return OffscreenPicture.open(WIDTH, HEIGHT, drawing);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    /** Opens a window without a display; skips the test where there is no OpenGL. */
    static GlfwWindow openWindow(WindowDrawing drawing) {
        try {
            return GlfwWindow.open(GLFW_PLATFORM_NULL, "test", WIDTH, HEIGHT, drawing);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    static long handle(GlfwWindow window) {
        return ((WindowBackend) window.backend()).context.window();
    }

    /** The colour of the pixel that shows a place in the world, as 0xRRGGBB. */
    static int colourAt(BufferedImage image, SceneView scene, float x, float y, float z) {
        Vector3f seen = Camera.framing(scene, image.getWidth(), image.getHeight())
                .worldToClip()
                .transformProject(new Vector3f(x, y, z));
        int column = (int) ((seen.x + 1) / 2 * image.getWidth());
        int row = (int) ((1 - seen.y) / 2 * image.getHeight());
        return image.getRGB(column, row) & 0xFFFFFF;
    }

    static int difference(int a, int b) {
        int red = Math.abs((a >> 16 & 255) - (b >> 16 & 255));
        int green = Math.abs((a >> 8 & 255) - (b >> 8 & 255));
        int blue = Math.abs((a & 255) - (b & 255));
        return Math.max(red, Math.max(green, blue));
    }

    static int[] pixels(BufferedImage image) {
        return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    }
}
