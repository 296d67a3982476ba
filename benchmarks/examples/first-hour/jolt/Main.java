import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import java.io.File;
import javax.imageio.ImageIO;

public class Main {
    static final AnimationError ERROR = new AnimationError("frames");
    static int frames;

    public static void main(String[] args) throws Exception {
        try (PhysicsService physics = PhysicsService.start(makePile())) {
            try (GlfwWindow window = GlfwWindow.open("First hour", 1280, 720)) {
                window.show(physics, view -> {
                    measure(view);
                    if (frames == 300) physics.close(); // ends show() for this measurement; leave this line out in a game
                });
            } catch (NoDisplayException noDisplay) {
                drawPicture(physics);
            }
        }
        System.out.printf("%d frames, animation error mean %.3f ms, p99 %.3f ms%n",
                frames, ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
    }

    static JoltWorldSimulation makePile() {
        JoltNatives.load(); // before the first object of Jolt
        PhysicsSystem system = new PhysicsSystem();
        // Layer 0 for bodies that stand still, layer 1 for bodies that move.
        MapObj2Bp layers = new MapObj2Bp(2, 2).add(0, 0).add(1, 1);
        system.init(201, 0, 65536, 65536, layers, new ObjVsBpFilter(2, 2), new ObjVsObjFilter(2));
        JoltWorldSimulation simulation = new JoltWorldSimulation(system, new TempAllocatorImplWithMallocFallback(80 << 20),
                new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, 1));
        BodyInterface bodies = system.getBodyInterface();
        for (int box = 0; box <= 200; box++) { // box 200 is the floor
            RVec3 at = new RVec3(1.25 * (box % 4) + 0.01 * (box % 7), 1 + 1.25 * (box / 16), 1.25 * (box / 4 % 4));
            Body body = bodies.createBody(box < 200
                    ? new BodyCreationSettings(new BoxShape(0.5f), at, new Quat(), EMotionType.Dynamic, 1)
                    : new BodyCreationSettings(new BoxShape(15, 1, 15), new RVec3(0, -1, 0), new Quat(), EMotionType.Static, 0));
            bodies.addBody(body, EActivation.Activate);
            if (box < 200) simulation.attach(body, box);
        }
        return simulation;
    }

    static void measure(FrameView view) {
        ERROR.frame(view.clock().shownSimNanos(), view.window().timeline(), view.clock().displayNanos());
        frames++;
        if (frames == 50) ERROR.reset(); // the first 50 frames are the warm-up
    }

    static void drawPicture(PhysicsService physics) throws Exception {
        // Half the edge of the floor, half the edge of a box, the height of the pile before it falls.
        SceneView scene = new SceneView(15, 0.5f, 17);
        try (FrameView view = FrameView.of(physics.newReader());
                OffscreenPicture picture = OffscreenPicture.open(640, 360, scene)) {
            while (frames < 200) {
                if (view.advance(System.nanoTime())) {
                    ImageIO.write(picture.render(view.poses()), "png", new File("target/pile.png"));
                    measure(view);
                }
            }
        }
    }
}
