package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.GLFW_ANY_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_ESCAPE;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_F1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_SPACE;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.glfwSetCursorPosCallback;
import static org.lwjgl.glfw.GLFW.glfwSetKeyCallback;
import static org.lwjgl.glfw.GLFW.glfwSetMouseButtonCallback;
import static org.lwjgl.glfw.GLFW.glfwSetScrollCallback;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.glfw.GLFWCursorPosCallback;
import org.lwjgl.glfw.GLFWKeyCallback;
import org.lwjgl.glfw.GLFWMouseButtonCallback;
import org.lwjgl.glfw.GLFWScrollCallback;
import org.lwjgl.opengl.GL33C;

/** Tests a window on GLFW's null platform, which lacks only the display and the user. */
class GlfwWindowTest {

    private static final SceneView SCENE = new SceneView(5, 1, 4);

    private final ExecutorService renderThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void endRenderThread() {
        renderThread.shutdown();
    }

    @Test
    void shouldBelongToOneRenderLoop() throws Exception {
        GlfwWindow window = openWithoutDisplay();
        RenderBackend backend = window.backend();
        onRenderThread(backend::open);
        assertThatThrownBy(backend::open).hasMessageContaining("another render loop");
        // A loop closes the backend even if open() failed. This must not disturb the other loop, which draws.
        backend.close();
        assertThatThrownBy(backend::open).hasMessageContaining("another render loop");
        onRenderThread(backend::close);
        window.close();
        window.close();
        assertThatThrownBy(backend::open).hasMessageContaining("closed");
    }

    /** The open backend stands for a render thread that hangs in a swap of buffers, as with a hidden window. */
    @Test
    void shouldLeaveItsContextToADrawingRenderThread() throws Exception {
        GlfwWindow window = openWithoutDisplay();
        WindowBackend backend = (WindowBackend) window.backend();
        FrameView view = oneBox();
        onRenderThread(backend::open);
        window.close();
        assertThatThrownBy(() -> window.listen(new WindowListener() {})).hasMessageContaining("closed");
        onRenderThread(
                () -> { // the swap returns after all
                    backend.draw(view);
                    backend.close();
                });
        backend.context.close(); // frees the thread's context, because other tests need GLFW with another platform
    }

    @Test
    void shouldBeDrawnByADrawingOfOnesOwn() throws Exception {
        List<String> calls = new ArrayList<>();
        WindowDrawing own = new WindowDrawing() {
            @Override
            public void open() {
                calls.add("open");
            }

            @Override
            public void draw(FrameView view, int width, int height) {
                GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
                calls.add("draw " + view.poses().slotCount() + " in " + width + " x " + height);
            }

            @Override
            public void close() {
                calls.add("close");
            }
        };
        try (GlfwWindow window = TestPicture.openWindow(own)) {
            WindowBackend backend = (WindowBackend) window.backend();
            FrameView view = oneBox();
            onRenderThread(() -> {
                backend.open();
                backend.draw(view);
                backend.resize(500, 300);
                backend.resize(0, 0);
                backend.draw(view);
                backend.close();
                assertThatThrownBy(() -> backend.draw(view)).hasMessageContaining("open the window's backend");
                backend.open(); // as the next render loop does
                backend.endDrawing(); // as at the end of the process
                backend.draw(view);
                backend.close();
            });
        }
        assertThat(calls).containsExactly("open", "draw 1 in 320 x 240", "draw 1 in 500 x 300", "close", "open");
    }

    /** A listener that consumes F1 and escape, the pointer in the right half, button 1 and the wheel downwards. */
    private static final class Taking implements WindowListener {

        private final List<String> reported = new ArrayList<>();

        @Override
        public boolean key(long nanos, int key, int action) {
            reported.add("key " + key);
            return key == GLFW_KEY_F1 || key == GLFW_KEY_ESCAPE;
        }

        @Override
        public boolean pointer(long nanos, double x, double y) {
            reported.add("pointer " + x + " " + y);
            return x > 0.5;
        }

        @Override
        public boolean button(long nanos, int button, int action, double x, double y) {
            reported.add("button " + button);
            return button == 1;
        }

        @Override
        public boolean wheel(long nanos, double x, double y) {
            reported.add("wheel " + x + " " + y);
            return y < 0;
        }
    }

    /** The test invokes the callbacks itself, because GLFW's null platform has no mouse and no keys. */
    @Test
    void shouldKeepFromTheSimulationWhatAListenerTakes() throws Exception {
        Taking listener = new Taking();
        try (GlfwWindow window = openWithoutDisplay()) {
            window.listen(listener);
            long handle = TestPicture.handle(window);
            GLFWKeyCallback keys = keys(handle);
            GLFWCursorPosCallback pointer = Objects.requireNonNull(glfwSetCursorPosCallback(handle, null));
            GLFWMouseButtonCallback buttons = Objects.requireNonNull(glfwSetMouseButtonCallback(handle, null));
            GLFWScrollCallback wheel = Objects.requireNonNull(glfwSetScrollCallback(handle, null));
            InputRing ring = new InputRing(16, () -> Long.MAX_VALUE / 2);
            int[] asked = {0};
            window.waitAndDispatch(ring, () -> {
                if (asked[0]++ == 0) {
                    keys.invoke(handle, GLFW_KEY_F1, 0, GLFW_PRESS, 0);
                    keys.invoke(handle, GLFW_KEY_ESCAPE, 0, GLFW_PRESS, 0);
                    pointer.invoke(handle, 80, 120);
                    pointer.invoke(handle, 240, 120);
                    buttons.invoke(handle, 1, GLFW_PRESS, 0);
                    wheel.invoke(handle, 0, -2);
                    wheel.invoke(handle, 1, 0.5); // GLFW's x is positive to the left
                }
                return asked[0] < 2;
            });
            keys.invoke(handle, GLFW_KEY_F1, 0, GLFW_PRESS, 0); // outside of waitAndDispatch: no listener gets events
            assertThat(asked[0]).as("stays open").isEqualTo(2);
            glfwSetCursorPosCallback(handle, pointer);
            glfwSetMouseButtonCallback(handle, buttons);
            glfwSetScrollCallback(handle, wheel);
            InputFrame frame = new InputSampler(ring).sample(0, Long.MAX_VALUE / 2);
            assertThat(frame.size()).as("one move and one turn").isEqualTo(2);
            assertThat(List.of(frame.event(0).x(), frame.event(0).y())).containsExactly(80f, 120f);
            assertThat(List.of(frame.event(1).x(), frame.event(1).y())).containsExactly(-1f, 0.5f);
        }
        assertThat(String.join(", ", listener.reported))
                .isEqualTo("key " + GLFW_KEY_F1 + ", key " + GLFW_KEY_ESCAPE
                        + ", pointer 0.25 0.5, pointer 0.75 0.5, button 1, wheel 0.0 -2.0, wheel -1.0 0.5");
    }

    @Test
    void shouldRetryEventsThatAFullRingRefused() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            long handle = TestPicture.handle(window);
            GLFWKeyCallback keys = keys(handle);
            InputRing ring = new InputRing(8, () -> Long.MAX_VALUE / 2);
            InputSampler sampler = new InputSampler(ring);
            int[] asked = {0};
            window.waitAndDispatch(ring, () -> {
                if (asked[0]++ == 0) {
                    while (ring.offer(0, InputKind.APPLICATION, 0, 0, 0)) {
                        // Fills the ring.
                    }
                    keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0);
                    sampler.sample(0, Long.MAX_VALUE / 2);
                }
                return asked[0] < 2;
            });
            InputFrame frame = sampler.sample(0, Long.MAX_VALUE / 2);
            assertThat(frame.size()).as("a press, and the release at the end").isEqualTo(2);
            assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
        }
    }

    @Test
    void shouldReleaseWhatIsHeldAndWaitAgain() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            long handle = TestPicture.handle(window);
            GLFWKeyCallback keys = keys(handle);
            InputRing ring = new InputRing(16, NanoClock.system());
            int[] asked = {0};
            window.waitAndDispatch(ring, () -> {
                asked[0]++;
                keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0);
                keys.invoke(handle, GLFW_KEY_ESCAPE, 0, GLFW_PRESS, 0);
                return true;
            });
            assertThat(asked[0]).isEqualTo(1);
            IllegalStateException broken = new IllegalStateException("broken");
            assertThatThrownBy(() -> window.waitAndDispatch(ring, () -> {
                        if (asked[0]++ < 3) {
                            return true;
                        }
                        throw broken;
                    }))
                    .isSameAs(broken);
            assertThat(asked[0]).as("waited again").isEqualTo(4);
            keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0); // outside of waitAndDispatch: not offered
            InputFrame frame = new InputSampler(ring).sample(System.nanoTime() - 1_000_000_000L, System.nanoTime());
            assertThat(frame.size()).isEqualTo(2);
            assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
            assertThat(frame.event(1).kind()).isEqualTo(InputKind.KEY_UP);
            assertThat(frame.event(1).code()).isEqualTo(GLFW_KEY_SPACE);
        }
    }

    private static GLFWKeyCallback keys(long handle) {
        GLFWKeyCallback keys = Objects.requireNonNull(glfwSetKeyCallback(handle, null));
        glfwSetKeyCallback(handle, keys);
        return keys;
    }

    /** GLFW's null platform has one monitor, of 60 Hz. */
    @Test
    void shouldReportTheRateOfItsMonitorAgainAndAgain() {
        try (GlfwWindow window = openWithoutDisplay()) {
            assertThat(window.backend().displayHertz()).hasValue(60);
            window.askNanos = 0;
            List<Double> reported = new ArrayList<>();
            window.waitAndDispatch(new InputRing(8, NanoClock.system()), () -> {
                reported.add(window.backend().displayHertz().orElseThrow());
                double next = 100 + reported.size();
                ((WindowBackend) window.backend()).monitors = () -> OptionalDouble.of(next);
                return reported.size() < 3;
            });
            assertThat(reported).containsExactly(60.0, 101.0, 102.0);
        }
    }

    @Test
    void shouldBelongToOneThread() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            InputRing ring = new InputRing(8, NanoClock.system());
            onRenderThread(() -> {
                assertThatThrownBy(() -> window.listen(new WindowListener() {}))
                        .hasMessageContaining(Thread.currentThread().getName());
                assertThatThrownBy(() -> window.waitAndDispatch(ring, () -> false))
                        .hasMessageContaining(Thread.currentThread().getName());
            });
        }
    }

    @Test
    void shouldAllowAPictureOnlyAfterItsClose() {
        openWithoutDisplay().close();
        try (OffscreenPicture picture = TestPicture.open(SCENE)) {
            assertThatThrownBy(() -> Glfw.acquire(GLFW_ANY_PLATFORM))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("close its windows and pictures");
            assertThatCode(() -> picture.render(Poses.none())).doesNotThrowAnyException();
        }
        openWithoutDisplay().close();
    }

    private static GlfwWindow openWithoutDisplay() {
        return TestPicture.openWindow(new SceneDrawing(SCENE));
    }

    private static FrameView oneBox() {
        CapturedWorld world = new CapturedWorld(1, 1, PoseLayout.PLAIN);
        world.spawnShown(1);
        FrameView view = FrameView.inline(world.newReader());
        view.advance(world.timeline().dueNanos(world.ticks()));
        view.handOver();
        return view;
    }

    private interface Work {
        void run() throws Exception;
    }

    private void onRenderThread(Work work) throws InterruptedException, ExecutionException {
        renderThread
                .submit(() -> {
                    work.run();
                    return null;
                })
                .get();
    }
}
