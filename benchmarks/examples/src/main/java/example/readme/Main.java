package example.readme;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.render.*;
import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.render.lwjgl.*;

public class Main {

    public static void main(String[] args) {
        try (PhysicsService physics = PhysicsService.builder(chain(8)).start(); // ticks at 100 Hz on its own thread
                GlfwWindow window = GlfwWindow.open("Chain", 1280, 720, new SceneView(8, 0.5f, 10, 0));
                RenderLoop loop = RenderLoop.start(
                        FrameView.of(physics.newReader()), // blends between ticks, for this loop alone
                        window.backend(),
                        new RefreshRhythm(window.refreshHertz().orElse(60)),
                        new FrameListener() {})) {
            window.waitAndDispatch(physics.input(), () -> loop.isRunning() && physics.state() != ServiceState.FAILED);
        }
    }

    static JoltWorldSimulation chain(int links) {
        JoltNatives.load(); // before the first object of Jolt
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(1, 1).add(0, 0);
        system.init(links, 0, 1024, 1024, layers, new ObjVsBpFilter(1, 1), new ObjVsObjFilter(1));
        JoltWorldSimulation simulation = new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        Body previous = null;
        for (int link = 0; link < links; link++) {
            EMotionType motion = link == 0 ? EMotionType.Static : EMotionType.Dynamic;
            Body body = system.getBodyInterface()
                    .createBody(new BodyCreationSettings(
                            new BoxShape(0.5f), new RVec3(1.2 * link, 9, 0), new Quat(), motion, 0));
            system.getBodyInterface().addBody(body, EActivation.Activate);
            simulation.attach(body, link); // readers see it from the next tick on, with this number
            if (previous != null) {
                PointConstraintSettings joint = new PointConstraintSettings();
                joint.setPoint1(new RVec3(1.2 * link - 0.6, 9, 0));
                joint.setPoint2(new RVec3(1.2 * link - 0.6, 9, 0));
                system.addConstraint(joint.create(previous, body));
            }
            previous = body;
        }
        return simulation;
    }
}
