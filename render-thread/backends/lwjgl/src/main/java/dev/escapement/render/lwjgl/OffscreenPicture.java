package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.snapshot.PoseBlocks;
import java.awt.image.BufferedImage;

/**
 * Draws a scene into pictures, without a display.
 *
 * <p>One thread opens, renders and closes; on macOS it must be the process's main thread. It cannot be open at the same
 * time as a {@link GlfwWindow}, but they may follow one another.
 *
 * @see NoOpenGlException
 */
public final class OffscreenPicture implements AutoCloseable {

    private final GlContext context;
    private final Viewport viewport;
    private final MultisampleTarget target;
    private final SceneRenderer renderer;
    private final InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
    private final int[] pixels;
    private boolean closed;

    private OffscreenPicture(GlContext context, Viewport viewport, SceneView scene) {
        this.context = context;
        this.viewport = viewport;
        target = new MultisampleTarget(viewport.width(), viewport.height());
        renderer = SceneRenderer.create(scene);
        pixels = new int[viewport.width() * viewport.height()];
    }

    /**
     * Gets ready to draw pictures of one size.
     *
     * @param width  in pixels, at least 1
     * @param height in pixels, at least 1
     * @param scene  what they will show
     * @return a picture to render with
     * @throws NoOpenGlException        if this machine cannot draw without a display
     * @throws IllegalArgumentException if the size is not positive
     * @throws IllegalStateException    if a window is open
     */
    public static OffscreenPicture open(int width, int height, SceneView scene) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "a picture must have 1 x 1 pixels or more, but is to have " + width + " x " + height);
        }
        // The window's own framebuffer is never drawn to, so it is as small as can be.
        GlContext context = GlContext.open(GLFW_PLATFORM_NULL, "Escapement", 1, 1, 0);
        try {
            context.makeCurrent();
            return new OffscreenPicture(context, Viewport.of(scene, width, height), scene);
        } catch (RuntimeException | Error failed) {
            context.close();
            throw failed;
        }
    }

    /**
     * Draws a picture.
     *
     * @param poses where the boxes are, the markers last
     * @return a new image
     * @throws IllegalStateException if closed, or OpenGL fails
     */
    public BufferedImage render(PoseBlocks poses) {
        if (closed) {
            throw new IllegalStateException("this picture is closed; open another");
        }
        context.makeCurrent();
        renderer.draw(viewport, target.framebuffer(), instances.write(poses));
        target.read(pixels);
        GlContext.check("drawing " + poses.slotCount() + " bodies");
        int width = viewport.width();
        int height = viewport.height();
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < height; row++) {
            image.setRGB(0, height - 1 - row, width, 1, pixels, row * width, width);
        }
        return image;
    }

    /** Frees everything. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.makeCurrent();
            renderer.close();
            target.close();
            context.close();
        }
    }
}
