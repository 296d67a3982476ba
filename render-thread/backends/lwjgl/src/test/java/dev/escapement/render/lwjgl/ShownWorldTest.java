package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.glfwGetWindowTitle;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.Logged;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import dev.escapement.state.world.ShapeSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogRecord;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.BufferUtils;
import org.lwjgl.opengl.GL33C;

/** Tests a window that gets only the world, without a scene. */
class ShownWorldTest {

    private static final int WIDTH = TestPicture.WIDTH;
    private static final int HEIGHT = TestPicture.HEIGHT;
    private static final int BODIES = 64;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final BodyShapes NO_CHANGES = (slot, userData, shape) -> {};

    private static class Crowd implements Simulation, ShapeSource {

        int bodies = BODIES;

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(bodies);
            for (int i = 0; i < bodies; i++) {
                poses.set(i, 1000 + 3 * (i & 3), 50 + 3 * (i >> 2 & 3), -500 + 3 * (i >> 4), 0, 0, 0, 1);
            }
        }

        @Override
        public BodyShape shape(long body) {
            return new BodyShape(
                    switch ((int) body & 3) {
                        case 0 -> new BodyShape.Box(1, 1, 1);
                        case 1 -> new BodyShape.Sphere(1);
                        case 2 -> new BodyShape.Capsule(0.5f, 0.5f);
                        default -> new TriangleMesh(new float[] {-1, 0, 0, 1, 0, 0, 0, 1, -1});
                    },
                    false);
        }
    }

    private final ManualClock clock = new ManualClock(System.nanoTime()); // close to the clock of a window's loop
    private final Crowd world = new Crowd();
    private final InlineDriver driver =
            PhysicsService.builder(world).rate(RATE).maxReaders(1).inline(clock);

    @AfterEach
    void closeWorld() {
        driver.close();
    }

    private void tick() {
        clock.advance(RATE.nanosAt(1));
        driver.runDueTicks();
    }

    @Test
    void shouldShowAWorldUntilItEndsAndDoOnesOwnWork() {
        List<String> calls = new CopyOnWriteArrayList<>();
        WindowDrawing drawing = new WindowDrawing() {
            @Override
            public void open() {}

            @Override
            public void draw(FrameView view, int width, int height) {
                calls.add("draw");
            }
        };
        try (PhysicsService service = PhysicsService.builder(new Crowd()).start();
                GlfwWindow window = TestPicture.openWindow(drawing)) {
            Runnable end = service::close;
            window.show(service, view -> {
                calls.add("own " + view.shown().bodies().count());
                if (calls.size() > 4) {
                    end.run();
                }
            });
            assertThat(calls).startsWith("own 64", "draw", "own 64", "draw");
        }
    }

    @Test
    void shouldThrowWhatEndedTheWorld() {
        try (GlfwWindow window = TestPicture.openWindow(new WorldDrawing(NO_CHANGES));
                PhysicsService broken = PhysicsService.builder(new Crowd() {
                            @Override
                            public void step(Tick tick) {
                                throw new IllegalStateException("no such body");
                            }
                        })
                        .onFailure(failure -> {})
                        .start()) {
            assertThatThrownBy(() -> window.show(broken))
                    .hasMessage("the world has failed: no such body")
                    .hasRootCauseMessage("no such body");
        }
    }

    @Test
    void shouldSayOnceThatAWorldShowsNoBodies() throws Exception {
        WorldDrawing drawing = new WorldDrawing(NO_CHANGES);
        world.bodies = 0;
        try (Logged logged = new Logged("render");
                GlfwWindow window = TestPicture.openWindow(drawing);
                FrameView view = FrameView.inline(driver.newReader())) {
            drawing.show(driver);
            window.backend().open();
            drawFrames(200, drawing, view, () -> {});
            window.backend().close();
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("shows no bodies: call simulation.attach(body, userData)");
        }
    }

    @Test
    void shouldTakeATitleFromAnotherThread() throws Exception {
        try (GlfwWindow window = TestPicture.openWindow(new WorldDrawing(NO_CHANGES))) {
            Thread other = new Thread(() -> window.title("3 coins"));
            other.start();
            other.join();
            int[] asked = {0};
            window.waitAndDispatch(driver.input(), () -> ++asked[0] < 2);
            assertThat(glfwGetWindowTitle(TestPicture.handle(window))).isEqualTo("3 coins");
        }
    }

    @Test
    void shouldSayWhyItCannotDraw() {
        WindowDrawing broken = new WindowDrawing() {
            @Override
            public void open() {
                throw new IllegalStateException("no such shader");
            }

            @Override
            public void draw(FrameView view, int width, int height) {}
        };
        try (Logged logged = new Logged("render");
                PhysicsService service =
                        PhysicsService.builder(new Crowd()).maxReaders(1).start();
                GlfwWindow window = TestPicture.openWindow(broken)) {
            assertThatThrownBy(() -> window.show(service))
                    .hasMessage("the window cannot draw the world: no such shader")
                    .hasRootCauseMessage("no such shader");
            assertThat(logged.records).as("said once, by the exception").isEmpty();
            service.newReader().close(); // the world allows one: the window has closed its own
        }
    }

    @Test
    void shouldFitAndPlaceTheCamera() throws Exception {
        WorldDrawing drawing = new WorldDrawing(NO_CHANGES);
        drawing.show(driver);
        try (GlfwWindow window = TestPicture.openWindow(drawing);
                FrameView view = FrameView.inline(driver.newReader())) {
            window.backend().open();
            drawFrames(6, drawing, view, () -> {});
            assertColoursWithinThePicture();
            window.camera(new Vector3f(1004.5f, 54.5f, -400), new Vector3f(1004.5f, 54.5f, -300));
            drawing.draw(view, WIDTH, HEIGHT);
            assertThat(coloured()).as("bodies behind the camera").isEmpty();
            window.camera(new Vector3f(1004.5f, 54.5f, -400), new Vector3f(1004.5f, 54.5f, -500));
            drawing.draw(view, WIDTH, HEIGHT);
            assertThat(coloured()).as("bodies before it").hasSizeGreaterThan(100);
            ByteBuffer withFloor = picture();
            window.floor(false);
            drawing.draw(view, WIDTH, HEIGHT);
            assertThat(picture()).isNotEqualTo(withFloor);
            window.floor(true);
            drawing.draw(view, WIDTH, HEIGHT);
            assertThat(picture()).isEqualTo(withFloor);
            window.backend().close();
        }
    }

    /** Bodies stay invisible even if the world's answer takes so long that the first picture does not wait for it. */
    @Test
    void shouldDrawNoBodyBeforeItsShapeIsTold() throws Exception {
        WorldDrawing drawing = new WorldDrawing(NO_CHANGES);
        try (InlineDriver late = PhysicsService.builder(new Crowd()).rate(RATE).inline(clock);
                GlfwWindow window = TestPicture.openWindow(drawing);
                FrameView view = FrameView.inline(driver.newReader())) {
            drawing.show(late); // stands for the view's world, but answers only when it ticks
            window.backend().open();
            drawFrames(6, drawing, view, () -> drawing.firstBodiesNanos -= 1_000_000_000); // no wait for shapes
            assertThat(coloured()).as("the floor alone").isEmpty();
            late.runDueTicks();
            drawing.draw(view, WIDTH, HEIGHT);
            assertThat(coloured()).as("bodies").hasSizeGreaterThan(100);
            window.backend().close();
        }
    }

    private void drawFrames(int count, WorldDrawing drawing, FrameView view, Runnable after) {
        for (int i = 0; i < count; i++) {
            tick();
            if (view.advance(clock.nanoTime())) {
                drawing.draw(view, WIDTH, HEIGHT);
                after.run();
            }
        }
    }

    /**
     * Asserts that bodies fill a good part of the picture and reach no edge of it. Floor and background are nearly grey, most bodies are
     * not.
     */
    private static void assertColoursWithinThePicture() {
        IntSummaryStatistics rows =
                coloured().stream().mapToInt(pixel -> pixel / WIDTH).summaryStatistics();
        assertThat(rows.getMin()).isPositive();
        assertThat(rows.getMax()).isLessThan(HEIGHT - 1);
        assertThat(rows.getMax() - rows.getMin()).isGreaterThan(HEIGHT / 4);
    }

    private static ByteBuffer picture() {
        ByteBuffer pixels = BufferUtils.createByteBuffer(WIDTH * HEIGHT * 4);
        GL33C.glReadPixels(0, 0, WIDTH, HEIGHT, GL33C.GL_RGBA, GL33C.GL_UNSIGNED_BYTE, pixels);
        return pixels;
    }

    private static List<Integer> coloured() {
        ByteBuffer pixels = picture();
        List<Integer> coloured = new ArrayList<>();
        for (int at = 0; at < WIDTH * HEIGHT; at++) {
            int red = pixels.get(4 * at) & 255;
            int green = pixels.get(4 * at + 1) & 255;
            int blue = pixels.get(4 * at + 2) & 255;
            if (Math.max(red, Math.max(green, blue)) - Math.min(red, Math.min(green, blue)) > 60) {
                coloured.add(at);
            }
        }
        return coloured;
    }
}
