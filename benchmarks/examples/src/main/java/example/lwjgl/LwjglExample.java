package example.lwjgl;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltSimulation;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.TickRate;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/**
 * A pile of boxes in Jolt that falls over, in a window, or in a picture where there is no display:
 * {@code LwjglExample [frames]}.
 */
public final class LwjglExample {

    private static final int BOXES = 300;
    private static final TickRate FRAMES_OFFSCREEN = TickRate.hertz(60);

    private LwjglExample() {}

    public static void main(String[] args) throws Exception {
        int frames = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        BoxPile pile = new BoxPile(BOXES);
        try (PhysicsService physics = startPhysics(pile)) {
            try {
                showInWindow(physics, sceneOf(pile), frames);
            } catch (NoDisplayException noDisplay) {
                System.out.println(noDisplay.getMessage());
                Path file = Files.createTempFile("escapement-example-", ".png");
                ImageIO.write(drawOffscreen(physics, sceneOf(pile), frames), "png", file.toFile());
                System.out.println("the last frame: " + file);
            }
        }
    }

    static PhysicsService startPhysics(BoxPile pile) {
        return PhysicsService.builder(new JoltSimulation(pile))
                .rate(TickRate.hertz(100))
                .preallocate(pile.boxes())
                .start();
    }

    static SceneView sceneOf(BoxPile pile) {
        float floor = (float) pile.floorHalfExtent();
        return new SceneView(floor, BoxPile.HALF_EXTENT, 10, 0);
    }

    private static void showInWindow(PhysicsService physics, SceneView scene, int frames) {
        CountDownLatch framesLeft = new CountDownLatch(frames);
        Smoothness smoothness = new Smoothness(framesLeft);
        try (GlfwWindow window = GlfwWindow.open("Falling pile", 1280, 720, scene)) {
            RefreshRhythm rhythm = new RefreshRhythm(window.refreshHertz().orElse(60));
            FrameView view = FrameView.of(physics.newReader());
            try (RenderLoop loop = RenderLoop.start(view, window.backend(), rhythm, smoothness)) {
                window.waitAndDispatch(physics.input(), () -> framesLeft.getCount() > 0 && goesOn(physics, loop));
            }
        }
        print(smoothness.error());
    }

    static BufferedImage drawOffscreen(PhysicsService physics, SceneView scene, int frames) throws Exception {
        CountDownLatch framesLeft = new CountDownLatch(frames);
        Smoothness smoothness = new Smoothness(framesLeft);
        PictureBackend backend = new PictureBackend(scene);
        FrameView view = FrameView.of(physics.newReader());
        try (RenderLoop loop = RenderLoop.start(view, backend, FRAMES_OFFSCREEN, smoothness)) {
            while (goesOn(physics, loop) && !framesLeft.await(100, TimeUnit.MILLISECONDS)) {
                // a window's events would be waited for here
            }
            if (loop.failure().isPresent()) {
                throw new IOException("no picture", loop.failure().get());
            }
        }
        print(smoothness.error());
        return backend.last().orElseThrow();
    }

    private static boolean goesOn(PhysicsService physics, RenderLoop loop) {
        return physics.state() == PhysicsService.State.RUNNING && loop.isRunning();
    }

    private static void print(AnimationError error) {
        System.out.printf(
                "%d frames: animation error mean %.3f ms, p99 %.3f ms; the picture stood still in %.0f of 10,000%n",
                error.count(), error.meanNanos() / 1e6, error.percentileNanos(99) / 1e6, error.repeatsPer10000());
    }
}
