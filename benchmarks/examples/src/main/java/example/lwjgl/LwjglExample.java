package example.lwjgl;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.SceneDrawing;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import example.Arguments;
import example.BoxRules;
import example.BoxYard;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/**
 * A pile of boxes in Jolt that falls over, in a window or, where there is no display, in a picture: {@code LwjglExample [seconds]}.
 */
public final class LwjglExample {

    private static final int DEFAULT_SECONDS = 5;
    private static final int BOXES = 300;
    private static final int FRAMES_PER_SECOND_OFFSCREEN = 60;

    private LwjglExample() {}

    public static void main(String[] args) throws Exception {
        play(Arguments.seconds(args, DEFAULT_SECONDS));
    }

    private static void play(int seconds) throws Exception {
        try (PhysicsService physics = startPhysics(BOXES)) {
            try {
                showInWindow(physics, scene(), seconds);
            } catch (NoDisplayException noDisplay) {
                System.out.println(noDisplay.getMessage());
                Path file = Files.createTempFile("escapement-example-", ".png");
                int frames = seconds * FRAMES_PER_SECOND_OFFSCREEN;
                ImageIO.write(drawOffscreen(physics, scene(), frames), "png", file.toFile());
                System.out.println("the last frame: " + file);
            }
        }
    }

    static PhysicsService startPhysics(int boxes) {
        return PhysicsService.builder(new BoxRules(new BoxYard(boxes)))
                .rate(TickRate.hertz(100))
                .preallocate(boxes)
                .start();
    }

    static SceneView scene() {
        return new SceneView(BoxYard.FLOOR_HALF_EXTENT, BoxYard.BOX_HALF_EXTENT, 10, 0);
    }

    private static void showInWindow(PhysicsService physics, SceneView scene, int seconds) {
        Smoothness smoothness = new Smoothness();
        try (GlfwWindow window = GlfwWindow.open("Falling pile", 1280, 720, new SceneDrawing(scene))) {
            FrameView view = FrameView.of(physics.newReader());
            try (RenderLoop loop = RenderLoop.start(view, window.backend(), smoothness)) {
                blow(physics);
                long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
                window.waitAndDispatch(
                        physics.input(), () -> System.nanoTime() - endNanos < 0 && isRunning(physics, loop));
            }
        }
        print(smoothness.error());
    }

    /** As a click beside it does: the pile may have come to rest before there was a window, and nothing would move. */
    private static void blow(PhysicsService physics) {
        if (!physics.input().offer(System.nanoTime(), InputKind.POINTER_DOWN, 0, -4, 0)) {
            throw new IllegalStateException("the input ring is full before anybody has touched a key");
        }
    }

    static BufferedImage drawOffscreen(PhysicsService physics, SceneView scene, int frames) throws Exception {
        CountDownLatch framesLeft = new CountDownLatch(frames);
        Smoothness smoothness = new Smoothness();
        PictureBackend backend = new PictureBackend(scene, framesLeft);
        FrameView view = FrameView.of(physics.newReader());
        try (RenderLoop loop =
                RenderLoop.start(view, backend, TickRate.hertz(FRAMES_PER_SECOND_OFFSCREEN), smoothness)) {
            while (isRunning(physics, loop) && !framesLeft.await(100, TimeUnit.MILLISECONDS)) {
                // a window's events would be waited for here
            }
            if (loop.failure().isPresent()) {
                throw new IOException("no picture", loop.failure().get());
            }
        }
        print(smoothness.error());
        return backend.last().orElseThrow();
    }

    private static boolean isRunning(PhysicsService physics, RenderLoop loop) {
        return physics.state() == ServiceState.RUNNING && loop.isRunning();
    }

    private static void print(AnimationError error) {
        System.out.printf(
                "%d frames: animation error mean %.3f ms, p99 %.3f ms; the picture stood still in %.0f of 10,000%n",
                error.count(), error.meanNanos() / 1e6, error.percentileNanos(99) / 1e6, error.repeatsPer10000());
    }
}
