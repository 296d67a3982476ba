package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.GLFW_ANY_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_ESCAPE;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_F1;
import static org.lwjgl.glfw.GLFW.GLFW_KEY_SPACE;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.glfwGetCurrentContext;
import static org.lwjgl.glfw.GLFW.glfwSetCursorPosCallback;
import static org.lwjgl.glfw.GLFW.glfwSetKeyCallback;
import static org.lwjgl.glfw.GLFW.glfwSetMouseButtonCallback;
import static org.lwjgl.glfw.GLFW.glfwSetScrollCallback;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.joml.Quaternionf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lwjgl.glfw.GLFWCursorPosCallback;
import org.lwjgl.glfw.GLFWKeyCallback;
import org.lwjgl.glfw.GLFWMouseButtonCallback;
import org.lwjgl.glfw.GLFWScrollCallback;
import org.lwjgl.opengl.GL33C;

/** A window on GLFW's null platform has all of a window but the display and the user. */
class GlfwWindowTest {

    private static final SceneView SCENE = new SceneView(5, 1, 4);

    private final ExecutorService renderThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void endRenderThread() {
        renderThread.shutdown();
    }

    @Test
    void shouldBelongToOneRenderLoopAndToNoneOnceItIsClosed() throws Exception {
        GlfwWindow window = openWithoutDisplay();
        RenderBackend backend = window.backend();
        onRenderThread(() -> {
            backend.open();
            return null;
        });
        assertThatThrownBy(backend::open).hasMessageContaining("another render loop");
        // What a loop does after a failure to open; it must not disturb the one that draws.
        backend.close();
        assertThatThrownBy(backend::open).hasMessageContaining("another render loop");
        onRenderThread(() -> {
            backend.close();
            return null;
        });
        window.close();
        window.close();
        assertThatThrownBy(backend::open).hasMessageContaining("closed");
    }

    /** As where the swap of a hidden window does not return. */
    @Test
    void shouldLeaveWhatItHoldsToARenderThreadThatStillDraws() throws Exception {
        GlfwWindow window = openWithoutDisplay();
        WindowBackend backend = (WindowBackend) window.backend();
        FrameView view = oneBox();
        onRenderThread(() -> {
            backend.open();
            return null;
        });
        window.close();
        window.close();
        assertThatThrownBy(() -> window.listen(new WindowListener() {})).hasMessageContaining("closed");
        onRenderThread(
                () -> { // the driver lets it go after all
                    view.advance(System.nanoTime());
                    backend.draw(view);
                    backend.close();
                    return null;
                });
        backend.context.close(); // what was left to it; other tests need GLFW with another platform
    }

    @Test
    void shouldBeDrawnByADrawingOfOnesOwn() throws Exception {
        List<String> calls = new ArrayList<>();
        WindowDrawing own = new WindowDrawing() {
            @Override
            public void open() {
                calls.add("open with a context: " + (glfwGetCurrentContext() != 0));
            }

            @Override
            public void draw(FrameView view, int width, int height) {
                GL33C.glClearColor(1, 0, 0, 1);
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
                assertThat(view.advance(System.nanoTime())).isTrue();
                backend.draw(view);
                backend.resize(500, 300);
                backend.resize(0, 0);
                backend.draw(view);
                GlContext.check("drawing one's own picture");
                backend.close();
                assertThatThrownBy(() -> backend.draw(view)).hasMessageContaining("open the window's backend");
                backend.open(); // the next render loop
                backend.close();
                return null;
            });
        }
        assertThat(calls)
                .containsExactly(
                        "open with a context: true",
                        "draw 1 in 320 x 240",
                        "draw 1 in 500 x 300",
                        "close",
                        "open with a context: true",
                        "close");
    }

    @Test
    void shouldBeLeftByADrawingThatCannotOpen() throws Exception {
        boolean[] closed = {false};
        WindowDrawing broken = new WindowDrawing() {
            @Override
            public void open() {
                throw new IllegalStateException("no such shader");
            }

            @Override
            public void draw(FrameView view, int width, int height) {}

            @Override
            public void close() {
                closed[0] = true;
                throw new IllegalStateException("nothing to close");
            }
        };
        try (GlfwWindow window = TestPicture.openWindow(broken)) {
            onRenderThread(() -> {
                assertThatThrownBy(() -> window.backend().open()).hasMessage("no such shader");
                assertThatThrownBy(() -> window.backend().close()).hasMessage("nothing to close");
                return null;
            });
        } // which would throw if the render thread still had it
        assertThat(closed[0]).isTrue();
    }

    /** GLFW's null platform has no mouse and no keys: the test is both. */
    @Test
    void shouldKeepFromTheSimulationWhatAListenerTakes() throws Exception {
        List<String> reported = new ArrayList<>();
        try (GlfwWindow window = openWithoutDisplay()) {
            window.listen(new WindowListener() {
                @Override
                public boolean key(long nanos, int key, int action) {
                    reported.add("key " + key);
                    return key == GLFW_KEY_F1;
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
            });
            long handle = handleOf(window);
            GLFWKeyCallback keys = Objects.requireNonNull(glfwSetKeyCallback(handle, null));
            GLFWCursorPosCallback pointer = Objects.requireNonNull(glfwSetCursorPosCallback(handle, null));
            GLFWMouseButtonCallback buttons = Objects.requireNonNull(glfwSetMouseButtonCallback(handle, null));
            GLFWScrollCallback wheel = Objects.requireNonNull(glfwSetScrollCallback(handle, null));
            InputRing ring = new InputRing(16, NanoClock.system());
            int[] asked = {0};
            long beforeNanos = System.nanoTime();
            window.waitAndDispatch(ring, () -> {
                if (asked[0]++ == 0) {
                    keys.invoke(handle, GLFW_KEY_F1, 0, GLFW_PRESS, 0);
                    keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0);
                    pointer.invoke(handle, 80, 120);
                    pointer.invoke(handle, 240, 120);
                    buttons.invoke(handle, 1, GLFW_PRESS, 0);
                    wheel.invoke(handle, 0, -2);
                    wheel.invoke(handle, 1, 0.5); // to the left, as GLFW counts
                }
                return asked[0] < 2;
            });
            keys.invoke(handle, GLFW_KEY_F1, 0, GLFW_PRESS, 0); // outside of waitAndDispatch: no listener is notified
            wheel.invoke(handle, 0, 1);
            glfwSetKeyCallback(handle, keys);
            glfwSetCursorPosCallback(handle, pointer);
            glfwSetMouseButtonCallback(handle, buttons);
            glfwSetScrollCallback(handle, wheel);
            assertThat(reported)
                    .containsExactly(
                            "key " + GLFW_KEY_F1,
                            "key " + GLFW_KEY_SPACE,
                            "pointer 0.25 0.5",
                            "pointer 0.75 0.5",
                            "button 1",
                            "wheel 0.0 -2.0",
                            "wheel -1.0 0.5");
            assertThat(ring.accepted())
                    .as("space, one move, one turn, and the end of space")
                    .isEqualTo(4);
            InputFrame frame = new InputSampler(ring).sample(beforeNanos, System.nanoTime());
            assertThat(List.of(frame.event(1).x(), frame.event(1).y())).containsExactly(80f, 120f);
            assertThat(List.of(frame.event(2).x(), frame.event(2).y())).containsExactly(-1f, 0.5f);
            assertThat(frame.event(2).timeNanos()).isBetween(beforeNanos, System.nanoTime());
        }
    }

    @Test
    void shouldOfferAgainWhatAFullRingRefusedAlthoughNothingMoreComes() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            long handle = handleOf(window);
            GLFWKeyCallback keys = Objects.requireNonNull(glfwSetKeyCallback(handle, null));
            InputRing ring = new InputRing(8, () -> Long.MAX_VALUE / 2);
            InputSampler sampler = new InputSampler(ring);
            int[] asked = {0};
            window.waitAndDispatch(ring, () -> {
                if (asked[0]++ == 0) {
                    while (ring.offer(0, InputKind.APPLICATION, 0, 0, 0)) {
                        // until it is full
                    }
                    keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0);
                    sampler.sample(0, Long.MAX_VALUE / 2);
                }
                return asked[0] < 2;
            });
            glfwSetKeyCallback(handle, keys);
            InputFrame frame = sampler.sample(0, Long.MAX_VALUE / 2);
            assertThat(frame.size()).as("a press, and the release at the end").isEqualTo(2);
            assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
        }
    }

    @Test
    void shouldReleaseWhatIsHeldAndWaitAgain() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            long handle = handleOf(window);
            GLFWKeyCallback keys = Objects.requireNonNull(glfwSetKeyCallback(handle, null));
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
            keys.invoke(handle, GLFW_KEY_SPACE, 0, GLFW_PRESS, 0); // not waited for
            glfwSetKeyCallback(handle, keys);
            InputFrame frame = new InputSampler(ring).sample(System.nanoTime() - 1_000_000_000L, System.nanoTime());
            assertThat(frame.size()).isEqualTo(2);
            assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
            assertThat(frame.event(1).kind()).isEqualTo(InputKind.KEY_UP);
            assertThat(frame.event(1).code()).isEqualTo(GLFW_KEY_SPACE);
        }
    }

    @Test
    void shouldStayOpenWhereAListenerTakesEscape() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            long handle = handleOf(window);
            GLFWKeyCallback keys = Objects.requireNonNull(glfwSetKeyCallback(handle, null));
            window.listen(new WindowListener() {
                @Override
                public boolean key(long nanos, int key, int action) {
                    return key == GLFW_KEY_ESCAPE;
                }
            });
            int[] asked = {0};
            window.waitAndDispatch(new InputRing(16, NanoClock.system()), () -> {
                keys.invoke(handle, GLFW_KEY_ESCAPE, 0, GLFW_PRESS, 0);
                return ++asked[0] < 3;
            });
            glfwSetKeyCallback(handle, keys);
            assertThat(asked[0]).isEqualTo(3);
        }
    }

    @Test
    void shouldDrawNoFrameOnceTheProcessEnds() throws Exception {
        List<String> calls = new ArrayList<>();
        try (GlfwWindow window = openWithoutDisplay()) {
            WindowDrawing counted = new WindowDrawing() {
                @Override
                public void open() {}

                @Override
                public void draw(FrameView view, int width, int height) {
                    calls.add("draw");
                }
            };
            WindowBackend backend = new WindowBackend(((WindowBackend) window.backend()).context, counted, 320, 240);
            onRenderThread(() -> {
                FrameView view = oneBox();
                backend.open();
                backend.draw(view);
                backend.endDrawing();
                backend.draw(view);
                backend.close();
                return null;
            });
        }
        assertThat(calls).containsExactly("draw");
    }

    private long handleOf(GlfwWindow window) throws Exception {
        long[] handle = new long[1];
        onRenderThread(() -> {
            window.backend().open();
            handle[0] = glfwGetCurrentContext();
            window.backend().close();
            return null;
        });
        return handle[0];
    }

    /** GLFW's null platform has one monitor, of 60 Hz. */
    @Test
    void shouldReportTheRateOfItsMonitor() {
        try (GlfwWindow window = openWithoutDisplay()) {
            assertThat(window.backend().displayHertz()).hasValue(60);
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
                return null;
            });
        }
    }

    @Test
    void shouldBeFollowedByAPictureButNotJoinedByOne() {
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
        try {
            return GlfwWindow.open(GLFW_PLATFORM_NULL, "test", 320, 240, new SceneDrawing(SCENE));
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    private static FrameView oneBox() {
        TickRate rate = TickRate.hertz(60);
        SnapshotExchange exchange = new SnapshotExchange(2, 1, 1, rate, PoseLayout.PLAIN, null);
        Timeline timeline = new Timeline(rate);
        timeline.start(0);
        for (int tick = 0; tick < 2; tick++) {
            WritableSnapshot snapshot = exchange.writer().nextSnapshot();
            snapshot.startTick(tick, rate.nanosAt(tick));
            snapshot.resize(1);
            Poses.put(snapshot.poses(), 0, 0, 1, 0, new Quaternionf());
            snapshot.seal();
            exchange.writer().publish(timeline, rate.nanosAt(tick));
        }
        return FrameView.of(exchange.attach());
    }

    private void onRenderThread(Callable<?> work) throws InterruptedException, ExecutionException {
        renderThread.submit(work).get();
    }
}
