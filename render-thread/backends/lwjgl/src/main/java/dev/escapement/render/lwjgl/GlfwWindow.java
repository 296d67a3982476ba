package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_ANY_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_ESCAPE;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.glfwGetCursorPos;
import static org.lwjgl.glfw.GLFW.glfwGetFramebufferSize;
import static org.lwjgl.glfw.GLFW.glfwGetWindowSize;
import static org.lwjgl.glfw.GLFW.glfwSetCursorPosCallback;
import static org.lwjgl.glfw.GLFW.glfwSetFramebufferSizeCallback;
import static org.lwjgl.glfw.GLFW.glfwSetKeyCallback;
import static org.lwjgl.glfw.GLFW.glfwSetMouseButtonCallback;
import static org.lwjgl.glfw.GLFW.glfwSetWindowShouldClose;
import static org.lwjgl.glfw.GLFW.glfwWaitEventsTimeout;
import static org.lwjgl.glfw.GLFW.glfwWindowShouldClose;

import dev.escapement.render.RenderBackend;
import dev.escapement.state.input.InputRing;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A window that shows a scene and stamps what its user does.
 *
 * <pre>{@code
 * try (GlfwWindow window = GlfwWindow.open("Escapement", 1280, 720, scene);
 *         RenderLoop loop = RenderLoop.start(
 *                 view, window.backend(), new RefreshRhythm(window.refreshHertz().orElse(60)), listener)) {
 *     window.waitAndDispatch(ring, () -> loop.failure().isEmpty());
 * }
 * }</pre>
 *
 * <p>One thread opens, waits and closes, the process's main thread; on macOS it must be, and the JVM needs
 * {@code -XstartOnFirstThread} there. {@link #backend()} is for the render thread, which has to end first.
 */
public final class GlfwWindow implements AutoCloseable {

    private static final int SAMPLES = 4;
    /** How late, at most, the end of {@code keepRunning} is noticed; events end the wait at once. */
    private static final double WAIT_SECONDS = 0.1;

    private final GlContext context;
    private final long window;
    private final WindowBackend backend;
    private final Thread owner = Thread.currentThread();
    private @Nullable WindowInput input;
    private boolean closed;

    private GlfwWindow(GlContext context, SceneView scene) {
        this.context = context;
        window = context.window();
        int[] width = new int[1];
        int[] height = new int[1];
        glfwGetFramebufferSize(window, width, height);
        backend = new WindowBackend(context, scene, Viewport.of(scene, Math.max(1, width[0]), Math.max(1, height[0])));
        glfwSetFramebufferSizeCallback(window, (handle, w, h) -> backend.resize(w, h));
        glfwSetKeyCallback(window, (handle, key, scancode, action, mods) -> key(System.nanoTime(), key, action));
        glfwSetCursorPosCallback(window, (handle, x, y) -> pointer(System.nanoTime(), x, y));
        glfwSetMouseButtonCallback(window, (handle, button, action, mods) -> button(System.nanoTime(), button, action));
    }

    /**
     * Opens a window.
     *
     * @param title  its title
     * @param width  its width, in the screen's units
     * @param height its height, in the screen's units
     * @param scene  what it will show
     * @return the open window
     * @throws NoDisplayException if there is no display
     * @throws NoOpenGlException  if the display has no OpenGL 3.3
     */
    public static GlfwWindow open(String title, int width, int height, SceneView scene) {
        return open(GLFW_ANY_PLATFORM, title, width, height, scene);
    }

    static GlfwWindow open(int platform, String title, int width, int height, SceneView scene) {
        return new GlfwWindow(GlContext.open(platform, title, width, height, SAMPLES), scene);
    }

    /**
     * What draws in this window.
     *
     * @return the backend for the one render loop of this window
     */
    public RenderBackend backend() {
        return backend;
    }

    /**
     * How often the display changes its picture.
     *
     * @return the rate of the monitor that shows the largest part of this window, as the device reports it, in whole hertz; empty if
     *     there is no monitor or it does not tell, and then 60 is the best guess
     * @throws IllegalStateException if called by another thread than opened the window, or after closing
     * @see dev.escapement.render.clock.RefreshRhythm
     */
    public OptionalDouble refreshHertz() {
        requireUsable();
        return Monitors.refreshHertz(window);
    }

    /**
     * Waits for events and offers them to a ring, stamped with {@link System#nanoTime()} as they arrive, until the window is
     * closed, ESC is pressed, or there is no reason to go on. Keys have GLFW's codes and do not repeat; buttons say where
     * on the floor they point, as world x and z in metres. Pointer moves say where in the window, in the screen's units from its
     * upper left corner.
     *
     * @param ring        where the events go; its clock must be {@link System#nanoTime()}
     * @param keepRunning asked after every event, and ten times a second
     * @throws IllegalStateException if called by another thread than opened the window, or after closing
     */
    public void waitAndDispatch(InputRing ring, BooleanSupplier keepRunning) {
        requireUsable();
        input = new WindowInput(ring);
        while (!glfwWindowShouldClose(window) && keepRunning.getAsBoolean()) {
            glfwWaitEventsTimeout(WAIT_SECONDS);
        }
        input = null;
    }

    private void key(long nanos, int key, int action) {
        if (key == GLFW_KEY_ESCAPE) {
            if (action == GLFW_PRESS) {
                glfwSetWindowShouldClose(window, true);
            }
        } else if (input != null) {
            input.key(nanos, key, action);
        }
    }

    private void pointer(long nanos, double x, double y) {
        if (input != null) {
            input.pointer(nanos, x, y);
        }
    }

    private void button(long nanos, int button, int action) {
        if (input != null) {
            double[] x = new double[1];
            double[] y = new double[1];
            int[] width = new int[1];
            int[] height = new int[1];
            glfwGetCursorPos(window, x, y);
            glfwGetWindowSize(window, width, height);
            float right = (float) (2 * x[0] / Math.max(1, width[0]) - 1);
            float up = (float) (1 - 2 * y[0] / Math.max(1, height[0]));
            input.button(nanos, button, action, backend.viewport().camera(), right, up);
        }
    }

    private void requireUsable() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("the window belongs to thread " + owner.getName()
                    + ", which opened it, but " + Thread.currentThread().getName() + " uses it");
        }
        if (closed) {
            throw new IllegalStateException("this window is closed");
        }
    }

    /**
     * Closes the window. Idempotent.
     *
     * @throws IllegalStateException if the render loop still draws in it, or called by another thread than opened it
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        requireUsable();
        if (!backend.retire()) {
            throw new IllegalStateException("a render loop still draws in this window; close the loop first");
        }
        closed = true;
        context.close();
    }
}
