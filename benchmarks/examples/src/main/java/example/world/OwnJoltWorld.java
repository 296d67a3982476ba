package example.world;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.Character; // not java.lang.Character
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.render.lwjgl.*;

public class OwnJoltWorld {

    public static void main(String[] args) {
        try (PhysicsService physics = PhysicsService.start(makeWorld());
                GlfwWindow window = GlfwWindow.open("My world", 1280, 720)) {
            window.show(physics);
        }
    }

    static JoltWorldSimulation makeWorld() {
        JoltNatives.load(); // before the first object of Jolt
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(1, 1).add(0, 0);
        system.init(100, 0, 1024, 1024, layers, new ObjVsBpFilter(1, 1), new ObjVsObjFilter(1));
        addBox(system.getBodyInterface(), new BoxShape(8, 1, 8), 0, -1, EMotionType.Static); // the floor
        Body post = addBox(system.getBodyInterface(), new BoxShape(0.5f), 0, 0.5, EMotionType.Static);
        Body car = addBox(system.getBodyInterface(), new BoxShape(0.5f), 6, 1, EMotionType.Dynamic);

        DistanceConstraintSettings tether = new DistanceConstraintSettings();
        tether.setPoint1(new RVec3(0, 0.9, 0)); // on the post
        tether.setPoint2(new RVec3(6, 0.9, 0.5)); // on the car's front
        system.addConstraint(tether.create(post, car));

        VehicleConstraintSettings chassis = new VehicleConstraintSettings();
        for (int wheel = 0; wheel < 4; wheel++) { // front left, front right, back left, back right
            WheelSettingsWv settings = new WheelSettingsWv();
            settings.setPosition(new Vec3(wheel % 2 == 0 ? 0.5f : -0.5f, -0.3f, wheel < 2 ? 0.5f : -0.5f));
            chassis.addWheels(settings);
        }
        WheeledVehicleControllerSettings engine = new WheeledVehicleControllerSettings();
        engine.setNumDifferentials(1);
        engine.getDifferential(0).setLeftWheel(0);
        engine.getDifferential(0).setRightWheel(1);
        chassis.setController(engine);
        chassis.setMaxPitchRollAngle(0.2f); // radians: it cannot tip over
        VehicleConstraint vehicle = new VehicleConstraint(car, chassis);
        vehicle.setVehicleCollisionTester(new VehicleCollisionTesterRay(0));
        system.addConstraint(vehicle);
        system.addStepListener(vehicle.getStepListener());
        ((WheeledVehicleController) vehicle.getController()).setDriverInput(0.1f, 0, 0, 0);

        CharacterSettings figure = new CharacterSettings();
        figure.setShape(new BoxShape(0.5f));
        figure.setFriction(0);
        Character character = new Character(figure, new RVec3(-7, 1, 0), new Quat(), 0, system);
        character.addToPhysicsSystem();
        character.setLinearVelocity(new Vec3(1, 0, 0));

        JoltWorldSimulation simulation = new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        simulation.attach(post, 0); // attached bodies are seen; the number is your own
        simulation.attach(car, 1);
        simulation.attach(new BodyLockRead(system.getBodyLockInterfaceNoLock(), character.getBodyId()).getBody(), 2);
        return simulation;
    }

    static Body addBox(BodyInterface bodies, BoxShape shape, double x, double y, EMotionType motion) {
        Body body = bodies.createBody(new BodyCreationSettings(shape, new RVec3(x, y, 0), new Quat(), motion, 0));
        bodies.addBody(body, EActivation.Activate);
        return body;
    }
}
