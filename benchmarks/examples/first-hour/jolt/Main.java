import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltSimulation;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import java.io.File;
import javax.imageio.ImageIO;

public class Main implements FrameListener {
    static final AnimationError ERROR = new AnimationError("frames");
    static volatile int frames;

    public static void main(String[] args) throws Exception {
        BoxPile pile = new BoxPile(200);
        SceneView scene = new SceneView((float) pile.floorHalfExtent(), BoxPile.HALF_EXTENT, 10, 0);
        try (PhysicsService physics = PhysicsService.builder(new JoltSimulation(pile)).start();
                FrameView view = FrameView.of(physics.newReader())) {
            try (GlfwWindow window = GlfwWindow.open("First hour", 1280, 720, scene);
                    RenderLoop loop = RenderLoop.start(
                            view, window.backend(), new RefreshRhythm(window.refreshHertz().orElse(60)), new Main())) {
                window.waitAndDispatch(physics.input(), () -> frames < 300 && loop.isRunning());
            } catch (NoDisplayException noDisplay) {
                drawPicture(view, scene);
            }
        }
        System.out.printf("%d frames, animation error mean %.3f ms, p99 %.3f ms%n",
                frames, ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
    }

    static void drawPicture(FrameView view, SceneView scene) throws Exception {
        try (OffscreenPicture picture = OffscreenPicture.open(640, 360, scene)) {
            while (frames < 200) {
                long nanos = System.nanoTime();
                if (view.advance(nanos)) {
                    ImageIO.write(picture.render(view.poses()), "png", new File("target/pile.png"));
                    new Main().drawn(view, nanos, nanos);
                }
            }
        }
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        ERROR.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
        frames++;
        if (frames == 50) ERROR.reset(); // warm
    }
}
