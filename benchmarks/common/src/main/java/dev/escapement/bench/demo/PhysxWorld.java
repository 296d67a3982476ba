package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.physx.PhysxNatives;
import dev.escapement.physics.physx.PhysxWorldSimulation;
import dev.escapement.state.world.BodyShape;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import physx.PxTopLevelFunctions;
import physx.common.PxDefaultAllocator;
import physx.common.PxDefaultErrorCallback;
import physx.common.PxFoundation;
import physx.common.PxQuat;
import physx.common.PxTolerancesScale;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.extensions.PxRigidBodyExt;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxCapsuleGeometry;
import physx.geometry.PxGeometry;
import physx.geometry.PxSphereGeometry;
import physx.physics.PxFilterData;
import physx.physics.PxForceModeEnum;
import physx.physics.PxMaterial;
import physx.physics.PxPairFlagEnum;
import physx.physics.PxPhysics;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidBodyFlagEnum;
import physx.physics.PxRigidDynamic;
import physx.physics.PxScene;
import physx.physics.PxSceneDesc;
import physx.physics.PxSceneFlagEnum;
import physx.physics.PxShape;
import physx.physics.PxShapeFlagEnum;
import physx.physics.PxShapeFlags;

/**
 * A pile or a machine in PhysX, in single precision. The physics thread steps it alone. The same input gives the same bits in every run of
 * the same native library. A state cannot be saved: PhysX keeps contacts and impulses of the previous step, which other code cannot set.
 */
final class PhysxWorld extends EngineWorld<PxRigidActor> {

    /** The foundation and physics objects of PhysX, which allows only one of each per JVM. They are never freed. */
    private static final class Sdk {

        static final PxPhysics PHYSICS;

        static {
            int version = PxTopLevelFunctions.getPHYSICS_VERSION();
            PxFoundation foundation = PxTopLevelFunctions.CreateFoundation(
                    version, new PxDefaultAllocator(), new PxDefaultErrorCallback());
            PHYSICS = PxTopLevelFunctions.CreatePhysics(version, foundation, new PxTolerancesScale());
        }
    }

    private static final float HALF_ROOT = (float) Math.sqrt(0.5);

    private final PxScene scene;
    private final PhysxWorldSimulation simulation;

    // Reused, because each of these objects has native memory.
    private final PxVec3 vector = new PxVec3();
    private final PxQuat rotation = new PxQuat();
    private final PxTransform pose = new PxTransform();

    static PhysxWorld of(Scene scene) {
        // Loads the native library before the constructor creates native objects.
        PhysxNatives.load();
        return new PhysxWorld(scene);
    }

    private PhysxWorld(Scene built) {
        PxSceneDesc description = new PxSceneDesc(Sdk.PHYSICS.getTolerancesScale());
        description.setGravity(vector(0, built.gravity(), 0));
        description.setCpuDispatcher(PxTopLevelFunctions.DefaultCpuDispatcherCreate(0));
        description.setFilterShader(PxTopLevelFunctions.DefaultFilterShader());
        description.getFlags().raise(PxSceneFlagEnum.eENABLE_ENHANCED_DETERMINISM);
        scene = Sdk.PHYSICS.createScene(description);
        description.destroy();
        simulation = new PhysxWorldSimulation(scene);
    }

    @Override
    PhysxWorldSimulation simulation() {
        return simulation;
    }

    @Override
    PxRigidActor add(Solid solid) {
        PxTransform at = pose(solid.x(), solid.y(), solid.z(), solid.turn());
        boolean isStatic = solid.motion() == Motion.STATIC;
        PxRigidActor body = isStatic ? Sdk.PHYSICS.createRigidStatic(at) : Sdk.PHYSICS.createRigidDynamic(at);
        addShape(body, solid);
        if (solid.isDynamic()) {
            PxRigidBodyExt.setMassAndUpdateInertia((PxRigidDynamic) body, solid.kilograms());
        } else if (!isStatic) {
            ((PxRigidDynamic) body).setRigidBodyFlag(PxRigidBodyFlagEnum.eKINEMATIC, true);
        }
        scene.addActor(body);
        return body;
    }

    private void addShape(PxRigidActor body, Solid solid) {
        PxMaterial material = Sdk.PHYSICS.createMaterial((float) solid.friction(), (float) solid.friction(), 0);
        PxGeometry form = geometry(solid.form());
        PxShapeFlags flags = new PxShapeFlags(
                (byte) (PxShapeFlagEnum.eSIMULATION_SHAPE.value | PxShapeFlagEnum.eSCENE_QUERY_SHAPE.value));
        PxShape shape = Sdk.PHYSICS.createShape(form, material, true, flags);
        int reports = PxPairFlagEnum.eNOTIFY_TOUCH_FOUND.value
                | PxPairFlagEnum.eNOTIFY_TOUCH_LOST.value
                | PxPairFlagEnum.eNOTIFY_CONTACT_POINTS.value;
        PxFilterData filter = new PxFilterData(solid.group(), solid.meets(), reports, 0);
        shape.setSimulationFilterData(filter);
        if (solid.form() instanceof BodyShape.Capsule) { // PhysX lays a capsule along x
            rotation.setZ(HALF_ROOT);
            rotation.setW(HALF_ROOT);
            pose.setP(vector(0, 0, 0));
            pose.setQ(rotation);
            shape.setLocalPose(pose);
        }
        body.attachShape(shape);
        shape.release(); // the body keeps the shape alive, and the shape keeps the material
        material.release();
        form.destroy();
        flags.destroy();
        filter.destroy();
    }

    private static PxGeometry geometry(BodyShape.Form form) {
        if (form instanceof BodyShape.Sphere sphere) {
            return new PxSphereGeometry(sphere.radius());
        }
        if (form instanceof BodyShape.Capsule capsule) {
            return new PxCapsuleGeometry(capsule.radius(), capsule.halfHeight());
        }
        BodyShape.Box box = (BodyShape.Box) form;
        return new PxBoxGeometry(box.halfX(), box.halfY(), box.halfZ());
    }

    /**
     * Lets a body hang from a hinge about z. A PhysX hinge turns about the x axis of its two frames, so each frame is rotated until its x
     * axis points along z.
     */
    @Override
    void hang(PxRigidActor body, Vector3dc from) {
        PxVec3 at = body.getGlobalPose().getP();
        PxQuat aboutZ = new PxQuat(0, -HALF_ROOT, 0, HALF_ROOT);
        PxTransform inBody =
                new PxTransform(vector(from.x() - at.getX(), from.y() - at.getY(), from.z() - at.getZ()), aboutZ);
        PxTransform hinge = new PxTransform(vector(from.x(), from.y(), from.z()), aboutZ);
        PxRigidActor hook = Sdk.PHYSICS.createRigidStatic(pose(0, 0, 0, 0));
        scene.addActor(hook);
        PxTopLevelFunctions.RevoluteJointCreate(Sdk.PHYSICS, hook, hinge, body, inBody);
        ((PxRigidDynamic) body).setSleepThreshold(0);
        aboutZ.destroy();
        inBody.destroy();
        hinge.destroy();
    }

    @Override
    Vector3dc position(PxRigidActor body, Vector3d to) {
        PxVec3 at = body.getGlobalPose().getP();
        return to.set(at.getX(), at.getY(), at.getZ());
    }

    @Override
    void push(PxRigidActor body, float kilograms, double dvx, double dvy, double dvz) {
        ((PxRigidDynamic) body).addForce(vector(dvx, dvy, dvz), PxForceModeEnum.eVELOCITY_CHANGE);
    }

    @Override
    void move(PxRigidActor part, double x, double y, double z, double turn, double dtSeconds) {
        ((PxRigidDynamic) part).setKinematicTarget(pose(x, y, z, turn));
    }

    @Override
    void moveBody(PxRigidActor body, double x, double y, double z) {
        PxRigidDynamic moved = (PxRigidDynamic) body;
        pose.setQ(body.getGlobalPose().getQ());
        pose.setP(vector(x, y, z));
        moved.setGlobalPose(pose);
        moved.setLinearVelocity(vector(0, 0, 0));
        moved.setAngularVelocity(vector);
    }

    private PxVec3 vector(double x, double y, double z) {
        vector.setX((float) x);
        vector.setY((float) y);
        vector.setZ((float) z);
        return vector;
    }

    private PxTransform pose(double x, double y, double z, double turn) {
        rotation.setX(0);
        rotation.setY(0);
        rotation.setZ((float) Sine.of(turn / 2));
        rotation.setW((float) Sine.cosine(turn / 2));
        pose.setP(vector(x, y, z));
        pose.setQ(rotation);
        return pose;
    }

    @Override
    void free() {
        scene.release();
        vector.destroy();
        rotation.destroy();
        pose.destroy();
    }
}
