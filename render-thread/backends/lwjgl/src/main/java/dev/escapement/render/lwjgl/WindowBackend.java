package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.glfwSwapBuffers;
import static org.lwjgl.glfw.GLFW.glfwSwapInterval;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The render thread's half of a window: its context and its drawing.
 *
 * <p>The methods of {@link RenderBackend} on the render thread, the others on the main thread.
 */
final class WindowBackend implements RenderBackend {

    private final GlContext context;
    private final WindowDrawing drawing;

    /** The thread that draws, or the main thread once the window is closed. */
    private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

    // Immutable, written by the main thread and read by the render thread at the start of a frame.
    private volatile Viewport viewport;

    /** Called before each frame is drawn; set by the main thread while no loop draws. */
    Consumer<? super FrameView> eachFrame = view -> {};

    private boolean waitsForDisplay;
    private boolean opened;

    WindowBackend(GlContext context, WindowDrawing drawing, int width, int height) {
        this.context = context;
        this.drawing = drawing;
        viewport = new Viewport(0, 0, Math.max(1, width), Math.max(1, height));
    }

    @Override
    public void waitForDisplay(boolean waits) {
        waitsForDisplay = waits;
    }

    @Override
    public void open() throws Exception {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException(
                    "this window is drawn by another render loop, or closed; open a window for each loop");
        }
        context.makeCurrent();
        // If the loop has its own rate, a swap that waits for the display would pace the frames a second time.
        glfwSwapInterval(waitsForDisplay ? 1 : 0);
        opened = true;
        drawing.open();
    }

    @Override
    public void draw(FrameView view) throws Exception {
        if (!opened) {
            throw new IllegalStateException("open the window's backend before drawing with it");
        }
        eachFrame.accept(view);
        Viewport whole = viewport;
        drawing.draw(view, whole.width(), whole.height());
        glfwSwapBuffers(context.window());
    }

    @Override
    public void close() {
        // A second loop, which could not open it, must not take it from the first.
        if (user.get() == Thread.currentThread()) {
            try {
                if (opened) {
                    opened = false;
                    drawing.close();
                }
            } finally {
                context.release();
                user.set(null);
            }
        }
    }

    Viewport viewport() {
        return viewport;
    }

    /** Sets a new size. A minimised window has none, and keeps its last one. */
    void resize(int width, int height) {
        if (width > 0 && height > 0) {
            viewport = new Viewport(0, 0, width, height);
        }
    }

    /** Closes the backend for good, unless the render thread is drawing. */
    boolean retire() {
        return user.compareAndSet(null, Thread.currentThread());
    }
}
