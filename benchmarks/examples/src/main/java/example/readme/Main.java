package example.readme;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.render.lwjgl.*;

public class Main {
    public static void main(String[] args) {
        try (PhysicsService physics = PhysicsService.start(chain(8)); // ticks at 100 Hz on its own thread
                GlfwWindow window = GlfwWindow.open("Chain", 1280, 720)) {
            window.show(physics); // draws on its own thread; returns when the window is closed
        }
    }

    /** A chain that hangs at one end, in Jolt's own calls. */
    static JoltWorldSimulation chain(int links) {
        JoltNatives.load(); // before the first object of Jolt
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(1, 1).add(0, 0);
        system.init(links, 0, 1024, 1024, layers, new ObjVsBpFilter(1, 1), new ObjVsObjFilter(1));
        BodyInterface bodies = system.getBodyInterface();
        JoltWorldSimulation simulation = new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        Body previous = null;
        for (int link = 0; link < links; link++) {
            EMotionType motion = link == 0 ? EMotionType.Static : EMotionType.Dynamic;
            Body body = bodies.createBody(
                    new BodyCreationSettings(new BoxShape(0.5f), new RVec3(1.2 * link, 9, 0), new Quat(), motion, 0));
            bodies.addBody(body, EActivation.Activate);
            simulation.attach(body, link); // readers see it from the next tick on; the number is your own
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
