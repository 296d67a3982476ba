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
import static org.lwjgl.glfw.GLFW.glfwSetScrollCallback;
import static org.lwjgl.glfw.GLFW.glfwSetWindowShouldClose;
import static org.lwjgl.glfw.GLFW.glfwSetWindowTitle;
import static org.lwjgl.glfw.GLFW.glfwWaitEventsTimeout;
import static org.lwjgl.glfw.GLFW.glfwWindowShouldClose;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.world.WorldControl;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.joml.Vector2ic;
import org.joml.Vector3fc;
import org.jspecify.annotations.Nullable;

/**
 * A window that shows a world, or the picture of your own {@link WindowDrawing}, and offers its user's events to the simulation, with the
 * times at which they came.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.start(simulation);
 *         GlfwWindow window = GlfwWindow.open("Escapement", 1280, 720)) {
 *     window.show(physics);
 * }
 * }</pre>
 *
 * <p>To use a render loop of your own, see {@link RenderLoop}.
 *
 * <p>The process's main thread opens the window, waits for events and closes the window. macOS requires this thread, and the JVM needs
 * {@code -XstartOnFirstThread} there. {@link #backend()} is for the render thread, which has to end first.
 */
public final class GlfwWindow implements AutoCloseable {

    /** The longest time between two calls of {@code keepRunning} in {@link #waitAndDispatch}. An event ends the wait immediately. */
    private static final double WAIT_SECONDS = 0.1;

    /** The time between two questions to the monitors about their rates. Each may take a round trip to the X server. */
    private static final long ASK_NANOS = 1_000_000_000;

    /** A listener that logs no failure, because {@link #show} throws it. */
    private static final FrameListener UNREPORTED = new FrameListener() {
        @Override
        public void failed(Throwable cause) {}
    };

    private final GlContext context;
    private final long window;
    private final WindowBackend backend;
    private final WindowDrawing drawing;
    private final Thread owner = Thread.currentThread();
    private WindowListener listener = new WindowListener() {};
    // Atomic: any thread writes the title, the window's thread takes it and shows it.
    private final AtomicReference<@Nullable String> nextTitle = new AtomicReference<>();
    private final double[] cursorX = new double[1];
    private final double[] cursorY = new double[1];
    private final int[] windowWidth = new int[1];
    private final int[] windowHeight = new int[1];
    private @Nullable WindowInput input;
    private boolean closed;

    /** A test asks more often. */
    long askNanos = ASK_NANOS;

    private GlfwWindow(GlContext context, WindowDrawing drawing) {
        this.context = context;
        this.drawing = drawing;
        window = context.window();
        int[] width = new int[1];
        int[] height = new int[1];
        glfwGetFramebufferSize(window, width, height);
        backend = new WindowBackend(context, drawing, width[0], height[0]);
        glfwSetFramebufferSizeCallback(window, (handle, w, h) -> backend.resize(w, h));
        glfwSetKeyCallback(window, (handle, key, scancode, action, mods) -> key(System.nanoTime(), key, action));
        glfwSetCursorPosCallback(window, (handle, x, y) -> pointer(System.nanoTime(), x, y));
        glfwSetMouseButtonCallback(window, (handle, button, action, mods) -> button(System.nanoTime(), button, action));
        // GLFW's x is positive to the left. 0 - x, because -x would turn 0 into -0.
        glfwSetScrollCallback(window, (handle, x, y) -> wheel(System.nanoTime(), 0 - x, y));
    }

    /**
     * Opens a window for {@link #show}: the world describes the shapes of its bodies, and the camera shows all of the first bodies. The
     * grey floor below them is drawn, but is no body, see {@link #floor}; a floor of the world itself is drawn if the simulation attaches
     * its body.
     *
     * @param title  its title
     * @param width  its width, in the screen's units
     * @param height its height, in the screen's units
     * @return the open window
     * @throws NoDisplayException if there is no display
     * @throws NoOpenGlException  if the display has no OpenGL 3.3
     */
    public static GlfwWindow open(String title, int width, int height) {
        return open(title, width, height, (slot, userData, shape) -> {});
    }

    /**
     * Opens a window as {@link #open(String, int, int)} does, with shapes and colours of your own.
     *
     * @param title  its title
     * @param width  its width, in the screen's units
     * @param height its height, in the screen's units
     * @param shapes changes what the world has reported
     * @return the open window
     * @throws NoDisplayException if there is no display
     * @throws NoOpenGlException  if the display has no OpenGL 3.3
     */
    public static GlfwWindow open(String title, int width, int height, BodyShapes shapes) {
        return open(title, width, height, new WorldDrawing(shapes));
    }

    /**
     * Opens a window for a drawing: your own, or a {@link SceneDrawing}.
     *
     * @param title   its title
     * @param width   its width, in the screen's units
     * @param height  its height, in the screen's units
     * @param drawing draws each frame; not used by another window
     * @return the open window
     * @throws NoDisplayException if there is no display
     * @throws NoOpenGlException  if the display has no OpenGL 3.3
     */
    public static GlfwWindow open(String title, int width, int height, WindowDrawing drawing) {
        return open(GLFW_ANY_PLATFORM, title, width, height, drawing);
    }

    /**
     * Checks that windows can be opened here. Call it before work that takes long. Main thread.
     *
     * @throws NoDisplayException if there is no display
     * @throws NoOpenGlException  if GLFW cannot be loaded
     */
    public static void requireDisplay() {
        Glfw.acquire(GLFW_ANY_PLATFORM);
        Glfw.release();
    }

    static GlfwWindow open(int platform, String title, int width, int height, WindowDrawing drawing) {
        return new GlfwWindow(GlContext.open(platform, title, width, height), drawing);
    }

    /**
     * Sets the listener that gets the user's events in {@link #waitAndDispatch}, before the simulation does.
     *
     * @param newListener replaces the previous one
     * @throws IllegalStateException if called by another thread than opened the window, or after closing
     */
    public void listen(WindowListener newListener) {
        requireUsable();
        listener = Objects.requireNonNull(newListener, "the listener must not be null; pass one that does nothing");
    }

    /**
     * Changes the text of the window's title bar, at most 0.1 s later while {@link #show} or {@link #waitAndDispatch} runs. Any thread.
     *
     * @param title replaces the title that the window was opened with
     */
    public void title(String title) {
        nextTitle.set(Objects.requireNonNull(title, "the title must not be null"));
    }

    /**
     * Places the camera of a window that was opened for {@link #show}. Any thread; from the next frame on.
     *
     * @param from where it is, in metres from the origin of {@link FrameView#shown}
     * @param at   the point that it looks at, in metres from the same origin
     * @throws IllegalStateException if the window was opened with a drawing, which has a camera of its own
     */
    public void camera(Vector3fc from, Vector3fc at) {
        worldDrawing().look(from, at);
    }

    /**
     * Hides or shows the grey floor, which is drawn, but is no body of the simulation. Any thread; from the next frame on.
     *
     * @param drawn false to hide it, for example if the world has a floor of its own, or bodies fall; true at first
     * @throws IllegalStateException as {@link #camera} does
     */
    public void floor(boolean drawn) {
        worldDrawing().withFloor = drawn;
    }

    private WorldDrawing worldDrawing() {
        if (drawing instanceof WorldDrawing worldDrawing) {
            return worldDrawing;
        }
        throw new IllegalStateException("this window has a camera and a floor of its own; open it without a drawing");
    }

    /** {@return the backend that draws in this window, for its one render loop} */
    public RenderBackend backend() {
        return backend;
    }

    /**
     * Shows a world: draws it on its own thread at the display's rate, and offers the user's events to the world, as
     * {@link #waitAndDispatch} does. Returns when the window is closed, ESC is pressed and no listener takes it, or the world has ended.
     *
     * @param world the world; a reader of it is attached and closed again
     * @throws IllegalStateException if called by another thread than opened the window, after closing, if another loop draws in it, if the
     *     world has no reader left, or if drawing or the world failed; the exception then has the cause
     */
    public void show(WorldControl world) {
        show(world, view -> {});
    }

    /**
     * Shows a world as {@link #show(WorldControl)} does, with work of your own in each frame: camera, title, sound.
     *
     * @param world     the world; a reader of it is attached and closed again
     * @param eachFrame called before each frame is drawn, on the render thread; if it is slow, frames are missed
     * @throws IllegalStateException as {@link #show(WorldControl)} does; also if {@code eachFrame} threw
     */
    public void show(WorldControl world, Consumer<? super FrameView> eachFrame) {
        requireUsable();
        Objects.requireNonNull(world, "world must not be null; pass a running PhysicsService");
        if (drawing instanceof WorldDrawing worldDrawing) {
            worldDrawing.show(world);
        }
        backend.eachFrame = Objects.requireNonNull(eachFrame, "eachFrame must not be null; leave it out to have none");
        RenderLoop loop = RenderLoop.start(FrameView.of(world.newReader()), backend, UNREPORTED);
        try (loop) {
            waitAndDispatch(world.input(), () -> loop.isRunning() && !world.hasEnded());
        } finally {
            backend.eachFrame = view -> {};
        }
        loop.failure().ifPresent(cause -> {
            throw new IllegalStateException("the window cannot draw the world: " + cause.getMessage(), cause);
        });
        world.failure().ifPresent(cause -> {
            throw new IllegalStateException("the world has failed: " + cause.getMessage(), cause);
        });
    }

    /**
     * Waits for events and offers them to a ring, stamped with {@link System#nanoTime()} as they arrive, until the window is closed, ESC is
     * pressed and no listener takes it, or {@code keepRunning} returns false. Keys have GLFW's codes and do not repeat. Pointer moves have
     * a place in the window, in the screen's units from its upper left corner. So do buttons, except in a window with a {@link
     * SceneDrawing}: there they have the place on its floor, as world x and z in metres. Wheel events have the code 0. At the end, release
     * events follow for the keys and buttons that are still down.
     *
     * @param ring        where the events go; its clock must be {@link System#nanoTime()}
     * @param keepRunning called after every event, and ten times a second
     * @throws IllegalStateException if called by another thread than opened the window, or after closing
     */
    public void waitAndDispatch(InputRing ring, BooleanSupplier keepRunning) {
        requireUsable();
        try (RemoteSources sources = new RemoteSources(ring)) {
            TrackedSource source = sources.local();
            input = new WindowInput(source);
            long askedNanos = System.nanoTime() - askNanos;
            try {
                while (!glfwWindowShouldClose(window) && keepRunning.getAsBoolean()) {
                    if (System.nanoTime() - askedNanos >= askNanos) {
                        askedNanos = System.nanoTime();
                        backend.askMonitors();
                    }
                    glfwWaitEventsTimeout(WAIT_SECONDS);
                    source.catchUp();
                    String title = nextTitle.getAndSet(null);
                    if (title != null) {
                        glfwSetWindowTitle(window, title);
                    }
                }
            } finally {
                input = null;
                sources.leave(source);
                glfwSetWindowShouldClose(window, false); // a close request ends only one call
            }
        }
    }

    private void key(long nanos, int key, int action) {
        if (input == null || listener.key(nanos, key, action)) {
            return;
        }
        if (key == GLFW_KEY_ESCAPE) {
            if (action == GLFW_PRESS) {
                glfwSetWindowShouldClose(window, true);
            }
        } else {
            input.key(nanos, key, action);
        }
    }

    private void pointer(long nanos, double x, double y) {
        if (input != null && !listener.pointer(nanos, x / width(), y / height())) {
            input.pointer(nanos, x, y);
        }
    }

    private void wheel(long nanos, double x, double y) {
        if (input != null && !listener.wheel(nanos, x, y)) {
            input.wheel(nanos, x, y);
        }
    }

    private void button(long nanos, int button, int action) {
        if (input == null) {
            return;
        }
        glfwGetCursorPos(window, cursorX, cursorY);
        double x = cursorX[0];
        double y = cursorY[0];
        if (listener.button(nanos, button, action, x / width(), y / height())) {
            return;
        }
        if (drawing instanceof SceneDrawing scene) {
            Vector2ic size = backend.size();
            Camera camera = Camera.framing(scene.scene(), size.x(), size.y());
            float right = (float) (2 * x / width() - 1);
            float up = (float) (1 - 2 * y / height());
            input.buttonOnFloor(nanos, button, action, camera, right, up);
        } else {
            input.button(nanos, button, action, (float) x, (float) y);
        }
    }

    /** The width in the screen's units, which the pointer's place has, too; at least 1, though GLFW reports 0 for a minimised window. */
    private int width() {
        glfwGetWindowSize(window, windowWidth, windowHeight);
        return Math.max(1, windowWidth[0]);
    }

    private int height() {
        glfwGetWindowSize(window, windowWidth, windowHeight);
        return Math.max(1, windowHeight[0]);
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
     * Closes the window. Idempotent. Close its render loop first. Otherwise the window vanishes, but its context stays with the render
     * thread, so that GLFW serves no other platform in this process. The same happens if the driver does not return from the swap of the
     * buffers, as on Wayland while a window is hidden.
     *
     * @throws IllegalStateException if called by another thread than opened it
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        requireUsable();
        closed = true;
        if (backend.retire()) {
            context.close();
        } else {
            System.getLogger("dev.escapement.render")
                    .log(
                            System.Logger.Level.WARNING,
                            "A window was closed while its render loop draws; what it holds is not freed. Close the loop first.");
            context.abandon();
        }
    }
}
