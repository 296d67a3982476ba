import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.collision.shapes.BoxCollisionShape;
import com.jme3.bullet.objects.PhysicsBody;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Vector3f;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.bullet.BulletNatives;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.bullet.UnboundPhysicsSpace;
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
        SceneView scene = new SceneView(15, 0.5f, 10, 0); // half the edges of the floor and of a box
        BulletWorldSimulation simulation = makePile();
        try (PhysicsService physics = PhysicsService.builder(simulation).start();
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

    static BulletWorldSimulation makePile() {
        BulletNatives.load(); // before anything of Bullet is made
        PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
        BulletWorldSimulation simulation = new BulletWorldSimulation(space);
        PhysicsRigidBody floor = new PhysicsRigidBody(new BoxCollisionShape(15, 1, 15), PhysicsBody.massForStatic);
        floor.setPhysicsLocation(new Vector3f(0, -1, 0));
        space.addCollisionObject(floor);
        for (int box = 0; box < 200; box++) {
            PhysicsRigidBody body = new PhysicsRigidBody(new BoxCollisionShape(0.5f), 100);
            body.setPhysicsLocation(new Vector3f(
                    1.25f * (box % 4) + 0.01f * (box % 7), 1 + 1.25f * (box / 16), 1.25f * (box / 4 % 4)));
            space.addCollisionObject(body);
            simulation.attach(body, box);
        }
        return simulation;
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
