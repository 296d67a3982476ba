package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import dev.escapement.state.snapshot.PoseBlocks;
import java.awt.image.BufferedImage;
import org.jspecify.annotations.Nullable;

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
    private final Camera camera;
    private final MultisampleTarget target;
    private final SceneDrawing drawing;
    private final int[] pixels;
    private boolean closed;

    private OffscreenPicture(GlContext context, Viewport viewport, SceneView scene, @Nullable BodyShapes shapes) {
        this.context = context;
        this.viewport = viewport;
        camera = Camera.framing(scene, viewport.width(), viewport.height());
        target = new MultisampleTarget(viewport.width(), viewport.height());
        drawing = new SceneDrawing(scene, shapes);
        drawing.open();
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
        return open(width, height, scene, null);
    }

    /**
     * Gets ready to draw pictures of one size, with bodies that have shapes of their own.
     *
     * @param width  in pixels, at least 1
     * @param height in pixels, at least 1
     * @param scene  what they will show
     * @param shapes which shape each body has; null for cubes of the scene's size
     * @return a picture to render with
     * @throws NoOpenGlException        if this machine cannot draw without a display
     * @throws IllegalArgumentException if the size is not positive
     * @throws IllegalStateException    if a window is open
     */
    public static OffscreenPicture open(int width, int height, SceneView scene, @Nullable BodyShapes shapes) {
        Viewport viewport = new Viewport(0, 0, width, height);
        // Nothing is drawn into the window's own framebuffer, so it has one pixel.
        GlContext context = GlContext.open(GLFW_PLATFORM_NULL, "Escapement", 1, 1, 0);
        try {
            context.makeCurrent();
            return new OffscreenPicture(context, viewport, scene, shapes);
        } catch (RuntimeException | Error failed) {
            context.close();
            throw failed;
        }
    }

    /**
     * Draws a picture, through a camera that just shows the scene.
     *
     * @param poses where the boxes are, the markers last
     * @return a new image
     * @throws IllegalStateException if closed, or OpenGL fails
     */
    public BufferedImage render(PoseBlocks poses) {
        return render(poses, camera);
    }

    /**
     * Draws a picture.
     *
     * @param poses where the boxes are, the markers last
     * @param from  a camera made for the picture's aspect
     * @return a new image
     * @throws IllegalStateException if closed, or OpenGL fails
     */
    public BufferedImage render(PoseBlocks poses, Camera from) {
        if (closed) {
            throw new IllegalStateException("this picture is closed; open another");
        }
        context.makeCurrent();
        drawing.draw(viewport, from, target.framebuffer(), poses);
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
            drawing.close();
            target.close();
            context.close();
        }
    }
}
