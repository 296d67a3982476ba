package example.lwjgl;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneDrawing;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import example.Arguments;
import example.BoxRules;
import example.BoxYard;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/**
 * A pile of boxes in Jolt that falls over: {@code LwjglExample [seconds]}. It is shown in a window, or drawn into a picture on a machine
 * without a display.
 */
public final class LwjglExample {

    private static final int DEFAULT_SECONDS = 5;
    private static final int BOXES = 300;
    private static final int FRAMES_PER_SECOND_OFFSCREEN = 60;

    private LwjglExample() {}

    public static void main(String[] args) throws Exception {
        int seconds = Arguments.seconds(args, DEFAULT_SECONDS);
        try (PhysicsService physics = startPhysics(BOXES)) {
            showInWindow(physics, scene(), seconds);
        } catch (NoDisplayException noDisplay) {
            System.out.println(noDisplay.getMessage());
            Path file = Files.createTempFile("escapement-example-", ".png");
            try (PhysicsService physics = startPhysics(BOXES)) {
                ImageIO.write(
                        drawOffscreen(physics, scene(), seconds * FRAMES_PER_SECOND_OFFSCREEN), "png", file.toFile());
            }
            System.out.println("the last frame: " + file);
        }
    }

    static PhysicsService startPhysics(int boxes) {
        return PhysicsService.builder(new BoxRules(new BoxYard(boxes)))
                .rate(TickRate.hertz(100))
                .preallocate(boxes)
                .start();
    }

    static SceneView scene() {
        return new SceneView(BoxYard.FLOOR_HALF_EXTENT, BoxYard.BOX_HALF_EXTENT, 10);
    }

    private static void showInWindow(PhysicsService physics, SceneView scene, int seconds) {
        try (GlfwWindow window = GlfwWindow.open("Falling pile", 1280, 720, new SceneDrawing(scene))) {
            FrameView view = FrameView.of(physics.newReader());
            try (RenderLoop loop = RenderLoop.start(view, window.backend(), new FrameListener() {})) {
                // Clicks beside the pile, which pushes boxes. The pile may have come to rest before the window opened.
                physics.input().offer(System.nanoTime(), InputKind.POINTER_DOWN, 0, -4, 0);
                long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
                window.waitAndDispatch(
                        physics.input(),
                        () -> System.nanoTime() - endNanos < 0
                                && physics.state() == ServiceState.RUNNING
                                && loop.isRunning());
            }
        }
    }

    static BufferedImage drawOffscreen(PhysicsService physics, SceneView scene, int frames) throws Exception {
        try (OffscreenPicture picture = OffscreenPicture.open(640, 360, scene);
                FrameView view = FrameView.of(physics.newReader())) {
            BufferedImage last = null;
            for (int frame = 0; frame < frames || last == null; frame++) {
                if (physics.failure().isPresent()) {
                    throw new IllegalStateException(
                            "no picture", physics.failure().get());
                }
                Thread.sleep(1000 / FRAMES_PER_SECOND_OFFSCREEN);
                if (view.advance(System.nanoTime())) {
                    last = picture.render(view.poses());
                }
            }
            return last;
        }
    }
}
