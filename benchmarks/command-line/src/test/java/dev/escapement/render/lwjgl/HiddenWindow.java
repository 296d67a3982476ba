package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Assumptions;
import org.lwjgl.BufferUtils;
import org.lwjgl.opengl.GL33C;

/** A window without a display, current on the thread that opens it. Tests look at its picture. */
public final class HiddenWindow implements AutoCloseable {

    private final GlfwWindow window;
    private final int width;
    private final int height;

    private HiddenWindow(GlfwWindow window, int width, int height) {
        this.window = window;
        this.width = width;
        this.height = height;
    }

    /** Opens the window; skips the test where there is no OpenGL. */
    public static HiddenWindow open(int width, int height, WindowDrawing drawing) throws Exception {
        try {
            GlfwWindow window = GlfwWindow.open(GLFW_PLATFORM_NULL, "test", width, height, drawing);
            window.backend().open();
            return new HiddenWindow(window, width, height);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    /** The picture that was drawn last. */
    public BufferedImage picture() {
        ByteBuffer pixels = BufferUtils.createByteBuffer(width * height * 4);
        GL33C.glReadPixels(0, 0, width, height, GL33C.GL_BGRA, GL33C.GL_UNSIGNED_BYTE, pixels);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(
                        x,
                        y,
                        pixels.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get((height - 1 - y) * width + x)
                                & 0xFFFFFF);
            }
        }
        return image;
    }

    @Override
    public void close() {
        ((WindowBackend) window.backend()).close();
        window.close();
    }
}
