package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.glfwGetMonitors;
import static org.lwjgl.glfw.GLFW.glfwGetVideoMode;
import static org.lwjgl.glfw.GLFW.glfwSwapBuffers;
import static org.lwjgl.glfw.GLFW.glfwSwapInterval;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.joml.Vector2i;
import org.joml.Vector2ic;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.glfw.GLFWVidMode;
import org.lwjgl.opengl.GL33C;

/**
 * The render thread's half of a window: its context and its drawing.
 *
 * <p>The render thread calls the methods of {@link RenderBackend}, the main thread the others; {@link #displayHertz} may be called by any
 * thread.
 */
final class WindowBackend implements RenderBackend {

    /** The minimum credible rate: devices that do not know their rate report 0 or 1. */
    private static final int MIN_HERTZ = 20;

    private static final long MAX_END_NANOS = 1_000_000_000;
    private static final long END_POLL_NANOS = 1_000_000;

    final GlContext context;
    private final WindowDrawing picture;

    /** Asks the monitors. Main thread. Tests replace it, because GLFW's null platform has one rate only. */
    Supplier<OptionalDouble> monitors = WindowBackend::fastestHertz;

    // Volatile: the main thread asks the monitors again and again, and the render thread reads the answer.
    private volatile OptionalDouble displayHertz = fastestHertz();

    /** The render thread from {@link #open} to {@link #close}, the main thread after {@link #retire}, otherwise null. */
    private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

    // Volatile: the main thread replaces the object at a change of size, and the render thread reads it in each frame.
    private volatile Vector2ic size;

    /** The work before each frame is drawn. The main thread sets it while no loop draws. */
    Consumer<? super FrameView> eachFrame = view -> {};

    private boolean waitsForDisplay;
    private boolean opened;

    /** Ends drawing before the process runs exit handlers of native libraries, because Mesa's handlers free memory that a frame uses. */
    private final Thread endOfDrawing = new Thread(this::endDrawing, "end of drawing");

    // Both volatile: the ending thread writes `ending` and then reads `drawing`; the render thread writes `drawing` and
    // then reads `ending`. With weaker accesses each could miss the other's write, and a frame would run beside Mesa's
    // exit handlers.
    private volatile boolean ending;
    private volatile boolean drawing;

    /** Creates the backend on the main thread. The size is in pixels. */
    WindowBackend(GlContext context, WindowDrawing drawing, int width, int height) {
        this.context = context;
        picture = drawing;
        size = new Vector2i(Math.max(1, width), Math.max(1, height));
    }

    /** Returns the rate of the fastest monitor, because the window may be moved to it; empty if no monitor reports a rate. */
    private static OptionalDouble fastestHertz() {
        PointerBuffer monitors = glfwGetMonitors();
        int max = 0;
        for (int i = 0; monitors != null && i < monitors.limit(); i++) {
            GLFWVidMode mode = glfwGetVideoMode(monitors.get(i));
            max = mode == null ? max : Math.max(max, mode.refreshRate());
        }
        return max < MIN_HERTZ ? OptionalDouble.empty() : OptionalDouble.of(max);
    }

    @Override
    public void waitForDisplay(boolean waits) {
        waitsForDisplay = waits;
    }

    /** Asks again, because monitors come and go, and users change their rates. Main thread. */
    void askMonitors() {
        displayHertz = monitors.get();
    }

    @Override
    public OptionalDouble displayHertz() {
        return displayHertz;
    }

    @Override
    public void open() throws Exception {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException(
                    "this window is drawn by another render loop, or closed; open a window for each loop");
        }
        context.makeCurrent();
        // The swap waits only if the loop follows the display. A loop with a given rate waits itself, and not twice.
        glfwSwapInterval(waitsForDisplay ? 1 : 0);
        opened = true;
        addHook();
        GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
        picture.open();
        glfwSwapBuffers(context.window());
    }

    @Override
    public void draw(FrameView view) throws Exception {
        if (!opened) {
            throw new IllegalStateException("open the window's backend before drawing with it");
        }
        eachFrame.accept(view);
        drawing = true;
        try {
            if (!ending) {
                Vector2ic now = size;
                picture.draw(view, now.x(), now.y());
                glfwSwapBuffers(context.window());
            }
        } finally {
            drawing = false;
        }
    }

    /** Waits until the current frame is drawn, for at most a second, because a swap may hang. Later frames draw nothing. */
    void endDrawing() {
        ending = true;
        long start = System.nanoTime();
        while (drawing && System.nanoTime() - start < MAX_END_NANOS) {
            LockSupport.parkNanos(END_POLL_NANOS);
        }
    }

    private void addHook() {
        try {
            Runtime.getRuntime().addShutdownHook(endOfDrawing);
        } catch (IllegalStateException e) {
            ending = true; // the process already ends
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(endOfDrawing);
        } catch (IllegalStateException e) {
            // The process already ends: the hook runs, and finds no frame to wait for.
        }
    }

    @Override
    public void close() {
        // A second loop, which could not open the context, must not release the first loop's context.
        if (user.get() == Thread.currentThread()) {
            try {
                if (opened) {
                    opened = false;
                    removeHook();
                    drawing = true;
                    if (!ending) {
                        picture.close();
                    }
                }
            } finally {
                drawing = false;
                context.release();
                user.set(null);
            }
        }
    }

    Vector2ic size() {
        return size;
    }

    /** Sets a new size. A minimised window reports a size of 0, and keeps its last size. */
    void resize(int width, int height) {
        if (width > 0 && height > 0) {
            size = new Vector2i(width, height);
        }
    }

    /** Refuses all later render loops. Returns false, and does nothing, if a render loop has the backend open. */
    boolean retire() {
        return user.compareAndSet(null, Thread.currentThread());
    }
}
