import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
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
        JoltWorldSimulation simulation = makePile();
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

    static JoltWorldSimulation makePile() {
        JoltNatives.load(); // before anything of Jolt is made
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(2, 2).add(0, 0).add(1, 1); // what stands still, and what moves
        system.init(201, 0, 65536, 65536, layers, new ObjVsBpFilter(2, 2), new ObjVsObjFilter(2));
        JoltWorldSimulation simulation = new JoltWorldSimulation(system, new TempAllocatorImplWithMallocFallback(80 << 20),
                new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, 1));
        BodyInterface bodies = system.getBodyInterface();
        for (int box = 0; box <= 200; box++) { // the last one is the floor
            RVec3 at = new RVec3(1.25 * (box % 4) + 0.01 * (box % 7), 1 + 1.25 * (box / 16), 1.25 * (box / 4 % 4));
            Body body = bodies.createBody(box < 200
                    ? new BodyCreationSettings(new BoxShape(0.5f), at, new Quat(), EMotionType.Dynamic, 1)
                    : new BodyCreationSettings(new BoxShape(15, 1, 15), new RVec3(0, -1, 0), new Quat(), EMotionType.Static, 0));
            bodies.addBody(body, EActivation.Activate);
            if (box < 200) simulation.attach(body, box);
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
