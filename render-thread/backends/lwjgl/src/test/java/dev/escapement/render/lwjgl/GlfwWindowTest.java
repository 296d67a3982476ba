package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.GLFW_ANY_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;
import static org.lwjgl.glfw.GLFW.glfwGetCurrentContext;
import static org.lwjgl.glfw.GLFW.glfwSetCursorPosCallback;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.joml.Quaternionf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lwjgl.glfw.GLFWCursorPosCallback;

/** A window on GLFW's null platform has all of a window but the display and the user. */
class GlfwWindowTest {

    private static final SceneView SCENE = new SceneView(5, 1, 4, 0);

    private final ExecutorService renderThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void endRenderThread() {
        renderThread.shutdown();
    }

    @Test
    void shouldBeDrawnByAnotherThread() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            FrameView view = oneBox();
            WindowBackend backend = (WindowBackend) window.backend();
            onRenderThread(() -> {
                backend.open();
                assertThat(view.advance(System.nanoTime())).isTrue();
                backend.draw(view);
                return null;
            });
            backend.resize(500, 300);
            backend.resize(0, 0);
            onRenderThread(() -> {
                backend.draw(view);
                GlContext.check("drawing in a window");
                backend.close();
                return null;
            });
            assertThat(backend.viewport().width()).isEqualTo(500);
            assertThat(backend.viewport().height()).isEqualTo(300);
        }
    }

    @Test
    void shouldNotBeClosedUnderTheRenderThread() throws Exception {
        GlfwWindow window = openWithoutDisplay();
        RenderBackend backend = window.backend();
        onRenderThread(() -> {
            backend.open();
            return null;
        });
        assertThatThrownBy(window::close).hasMessageContaining("close the loop first");
        assertThatThrownBy(backend::open).hasMessageContaining("another render loop");
        // What a loop does after a failure to open; it must not disturb the one that draws.
        backend.close();
        assertThatThrownBy(window::close).hasMessageContaining("close the loop first");
        onRenderThread(() -> {
            backend.close();
            return null;
        });
        window.close();
        window.close();
        assertThatThrownBy(backend::open).hasMessageContaining("closed");
    }

    @Test
    void shouldWaitAsLongAsItIsAsked() {
        try (GlfwWindow window = openWithoutDisplay()) {
            int[] asked = {0};
            InputRing ring = new InputRing(8, NanoClock.system());
            window.waitAndDispatch(ring, () -> ++asked[0] < 3);
            assertThat(asked[0]).isEqualTo(3);
            assertThat(ring.accepted()).isZero();
        }
    }

    /** GLFW's null platform has no mouse: the test is the mouse, by the callback that GLFW would call. */
    @Test
    void shouldStampPointerMovesWhereItWaits() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            RenderBackend backend = window.backend();
            long[] handle = new long[1];
            onRenderThread(() -> {
                backend.open();
                handle[0] = glfwGetCurrentContext();
                return null;
            });
            GLFWCursorPosCallback callback = Objects.requireNonNull(glfwSetCursorPosCallback(handle[0], null));
            InputRing ring = new InputRing(8, NanoClock.system());
            callback.invoke(handle[0], 1, 2); // no thread waits for it
            int[] asked = {0};
            long beforeNanos = System.nanoTime();
            window.waitAndDispatch(ring, () -> {
                callback.invoke(handle[0], 3, 4);
                return ++asked[0] < 2;
            });
            long afterNanos = System.nanoTime();
            glfwSetCursorPosCallback(handle[0], callback);
            onRenderThread(() -> {
                backend.close();
                return null;
            });
            InputFrame frame = new InputSampler(ring).sample(beforeNanos, afterNanos);
            assertThat(frame.size()).isEqualTo(2);
            for (int i = 0; i < 2; i++) {
                assertThat(frame.event(i).kind()).isEqualTo(InputKind.POINTER_MOVED);
                assertThat(frame.event(i).x()).isEqualTo(3);
                assertThat(frame.event(i).y()).isEqualTo(4);
                assertThat(frame.event(i).timeNanos()).isBetween(beforeNanos, afterNanos);
            }
        }
    }

    /** GLFW's null platform has one monitor, of 60 Hz. */
    @Test
    void shouldTellTheRateOfItsMonitor() {
        GlfwWindow window = openWithoutDisplay();
        assertThat(window.refreshHertz()).hasValue(60);
        window.close();
        assertThatThrownBy(window::refreshHertz).hasMessageContaining("closed");
    }

    @Test
    void shouldBeDrawnByALoopThatFollowsTheDisplay() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            CountDownLatch frames = new CountDownLatch(3);
            FrameListener listener = new FrameListener() {
                @Override
                public void drawn(FrameView view, long slotNanos, long completedNanos) {
                    frames.countDown();
                }
            };
            RefreshRhythm rhythm = new RefreshRhythm(window.refreshHertz().orElseThrow());
            RenderLoop loop = RenderLoop.start(oneBox(), window.backend(), rhythm, listener);
            frames.await();
            loop.close();
            assertThat(loop.failure()).isEmpty();
        }
    }

    @Test
    void shouldBelongToOneThread() throws Exception {
        try (GlfwWindow window = openWithoutDisplay()) {
            InputRing ring = new InputRing(8, NanoClock.system());
            onRenderThread(() -> {
                assertThatThrownBy(window::refreshHertz)
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
            return GlfwWindow.open(GLFW_PLATFORM_NULL, "test", 320, 240, SCENE);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    private static FrameView oneBox() {
        TickRate rate = TickRate.hertz(60);
        SnapshotExchange exchange = new SnapshotExchange(2, 1, 1, rate);
        Timeline timeline = new Timeline(rate);
        timeline.start(0);
        for (int tick = 0; tick < 2; tick++) {
            Snapshot snapshot = exchange.writer().nextSnapshot();
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
