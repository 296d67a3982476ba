package example.world;

import dev.escapement.physics.*;
import dev.escapement.physics.physx.*;
import dev.escapement.render.*;
import dev.escapement.render.lwjgl.*;
import org.joml.Vector3f;
import physx.PxTopLevelFunctions;
import physx.common.*;
import physx.extensions.PxRigidBodyExt;
import physx.geometry.PxBoxGeometry;
import physx.physics.*;

public class OwnPhysxWorld {

    public static void main(String[] args) throws InterruptedException {
        try (PhysicsService physics = PhysicsService.start(makeWorld())) {
            try (GlfwWindow window = GlfwWindow.open("PhysX", 1280, 720)) {
                window.show(physics);
            } catch (NoDisplayException noDisplay) {
                print(physics);
            }
        }
    }

    static PhysxWorldSimulation makeWorld() {
        PhysxNatives.load(); // before the first class of PhysX
        int version = PxTopLevelFunctions.getPHYSICS_VERSION();
        PxFoundation foundation = PxTopLevelFunctions.CreateFoundation(
                version, new PxDefaultAllocator(), new PxDefaultErrorCallback()); // PhysX allows one foundation per JVM
        PxPhysics physx = PxTopLevelFunctions.CreatePhysics(version, foundation, new PxTolerancesScale());

        PxSceneDesc settings = new PxSceneDesc(physx.getTolerancesScale());
        settings.setGravity(new PxVec3(0, -9.81f, 0));
        settings.setCpuDispatcher(PxTopLevelFunctions.DefaultCpuDispatcherCreate(1)); // one worker thread
        settings.setFilterShader(PxTopLevelFunctions.DefaultFilterShader());
        PxScene scene = physx.createScene(settings);
        PhysxWorldSimulation simulation = new PhysxWorldSimulation(scene);

        PxMaterial wood = physx.createMaterial(0.5f, 0.5f, 0.1f); // friction at rest, in motion; bounce
        PxRigidStatic ground = physx.createRigidStatic(at(0, -1));
        addShape(physx, ground, new PxBoxGeometry(15, 1, 15), wood); // half the length of each edge
        scene.addActor(ground);
        for (int i = 0; i < 10; i++) {
            PxRigidDynamic box = physx.createRigidDynamic(at(0.2f * (i % 3), 1 + 1.5f * i));
            addShape(physx, box, new PxBoxGeometry(0.5f, 0.5f, 0.5f), wood);
            PxRigidBodyExt.setMassAndUpdateInertia(box, 10); // kg
            scene.addActor(box);
            simulation.attach(box, i); // readers see it from the next tick on; the number is your own
        }
        return simulation;
    }

    static PxTransform at(float x, float y) {
        return new PxTransform(new PxVec3(x, y, 0), new PxQuat(0, 0, 0, 1));
    }

    static void addShape(PxPhysics physx, PxRigidActor body, PxBoxGeometry form, PxMaterial material) {
        PxShape shape = physx.createShape(form, material, true);
        shape.setSimulationFilterData(new PxFilterData(1, -1, 0, 0)); // else DefaultFilterShader lets it fall through
        body.attachShape(shape);
        shape.release(); // the body keeps the shape
    }

    /** A render loop of your own: before each frame it asks where the bodies are now. */
    static void print(PhysicsService physics) throws InterruptedException {
        Vector3f at = new Vector3f();
        try (FrameView view = FrameView.of(physics.newReader())) {
            for (int frame = 0; frame < 60; frame++) {
                if (view.advance(System.nanoTime())) {
                    System.out.printf("the last box is %.2f m high%n", view.positionOfSlot(9, at).y);
                }
                Thread.sleep(50); // in place of a window's wait for the display
            }
        }
    }
}
