package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import dev.escapement.state.snapshot.PoseBlocks;
import java.awt.image.BufferedImage;
import org.lwjgl.opengl.GL33C;

/**
 * Draws a scene into pictures, without a display.
 *
 * <p>One thread opens, renders and closes; on macOS it must be the process's main thread. A picture and a {@link GlfwWindow} cannot be open
 * at the same time, but one may follow the other.
 *
 * @see NoOpenGlException
 */
public final class OffscreenPicture implements AutoCloseable {

    private final GlContext context;
    private final int width;
    private final int height;
    private final Camera camera;
    private final SceneDrawing drawing;
    private final int[] pixels;
    private boolean closed;

    private OffscreenPicture(GlContext context, int width, int height, SceneDrawing drawing) {
        this.context = context;
        this.width = width;
        this.height = height;
        this.drawing = drawing;
        camera = Camera.framing(drawing.scene(), width, height);
        pixels = new int[Math.multiplyExact(width, height)];
        context.makeCurrent();
        int most = GL33C.glGetInteger(GL33C.GL_MAX_RENDERBUFFER_SIZE);
        if (Math.max(width, height) > most) {
            throw new NoOpenGlException("the OpenGL driver cannot draw a picture of " + width + " x " + height
                    + " pixels; give at most " + most + " x " + most);
        }
        drawing.open();
    }

    /**
     * Prepares to draw pictures of one size, through a camera that just shows the scene.
     *
     * @param width  in pixels, at least 1
     * @param height in pixels, at least 1
     * @param scene  what the pictures will show
     * @return a picture to render with
     * @throws NoOpenGlException     if this machine cannot draw without a display, or no picture of this size
     * @throws IllegalStateException if a window is open
     */
    public static OffscreenPicture open(int width, int height, SceneView scene) {
        return open(width, height, new SceneDrawing(scene));
    }

    static OffscreenPicture open(int width, int height, SceneDrawing drawing) {
        GlContext context = GlContext.open(GLFW_PLATFORM_NULL, "Escapement", width, height);
        try {
            return new OffscreenPicture(context, width, height, drawing);
        } catch (RuntimeException | Error failed) {
            context.close();
            throw failed;
        }
    }

    /**
     * Draws a picture.
     *
     * @param poses the poses of the boxes
     * @return a new image
     * @throws IllegalStateException if closed, or OpenGL fails
     */
    public BufferedImage render(PoseBlocks poses) {
        if (closed) {
            throw new IllegalStateException("this picture is closed; open another");
        }
        context.makeCurrent();
        GL33C.glViewport(0, 0, width, height);
        drawing.draw(camera, poses);
        GL33C.glReadPixels(0, 0, width, height, GL33C.GL_BGRA, GL33C.GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
        GlContext.check("drawing " + poses.slotCount() + " bodies");
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < height; row++) { // OpenGL begins with the lowest row
            image.setRGB(0, height - 1 - row, width, 1, pixels, row * width, width);
        }
        return image;
    }

    /** Frees the context and all its objects. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.makeCurrent();
            drawing.close();
            context.close();
        }
    }
}
