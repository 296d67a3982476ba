package dev.escapement.physics.physx;

import dev.escapement.physics.world.GameWorld;
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
import physx.geometry.PxGeometry;
import physx.physics.PxFilterData;
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
import physx.support.SupportFunctions;

/** A game of boxes in PhysX, whose shapes request contacts. Native objects that are made once stay until the end of the JVM. */
class PhysxGame implements GameWorld<PxScene, PxRigidActor> {

    private static final class Sdk {

        static final PxPhysics PHYSICS;
        static final PxMaterial MATERIAL;

        static {
            PhysxNatives.load();
            int version = PxTopLevelFunctions.getPHYSICS_VERSION();
            PxFoundation foundation = PxTopLevelFunctions.CreateFoundation(
                    version, new PxDefaultAllocator(), new PxDefaultErrorCallback());
            PHYSICS = PxTopLevelFunctions.CreatePhysics(version, foundation, new PxTolerancesScale());
            MATERIAL = PHYSICS.createMaterial(0.6f, 0.6f, 0);
        }
    }

    private static final PxShapeFlags SOLID = flags(PxShapeFlagEnum.eSIMULATION_SHAPE.value);
    private static final PxShapeFlags SENSOR = flags(PxShapeFlagEnum.eTRIGGER_SHAPE.value);

    private final PxScene scene;

    PhysxGame(int threads) {
        PxSceneDesc description = new PxSceneDesc(physics().getTolerancesScale());
        description.setGravity(new PxVec3(0, -9.81f, 0));
        description.setCpuDispatcher(PxTopLevelFunctions.DefaultCpuDispatcherCreate(threads));
        description.setFilterShader(PxTopLevelFunctions.DefaultFilterShader());
        description.getFlags().raise(PxSceneFlagEnum.eENABLE_ENHANCED_DETERMINISM);
        scene = physics().createScene(description);
        description.destroy();
        PxRigidActor floor = physics().createRigidStatic(at(0, -1));
        addShape(floor, new PxBoxGeometry(50, 1, 50));
        scene.addActor(floor);
    }

    static PxPhysics physics() {
        return Sdk.PHYSICS;
    }

    static PxMaterial material() {
        return Sdk.MATERIAL;
    }

    private static PxShapeFlags flags(int wanted) {
        return new PxShapeFlags((byte) (PxShapeFlagEnum.eSCENE_QUERY_SHAPE.value | wanted));
    }

    static PxTransform at(double x, double y) {
        return new PxTransform(new PxVec3((float) x, (float) y, 0), new PxQuat(0, 0, 0, 1));
    }

    static PxShape addShape(PxRigidActor actor, PxGeometry geometry) {
        PxShape shape = physics().createShape(geometry, Sdk.MATERIAL, true, SOLID);
        int reports = PxPairFlagEnum.eNOTIFY_TOUCH_FOUND.value
                | PxPairFlagEnum.eNOTIFY_TOUCH_LOST.value
                | PxPairFlagEnum.eNOTIFY_TOUCH_PERSISTS.value
                | PxPairFlagEnum.eNOTIFY_CONTACT_POINTS.value;
        shape.setSimulationFilterData(new PxFilterData(1, -1, reports, 0));
        actor.attachShape(shape);
        shape.release(); // the actor keeps the shape
        return shape;
    }

    PxRigidDynamic add(double x, double y, PxGeometry... forms) {
        PxRigidDynamic body = physics().createRigidDynamic(at(x, y));
        for (PxGeometry form : forms) {
            addShape(body, form);
        }
        PxRigidBodyExt.setMassAndUpdateInertia(body, 10);
        scene.addActor(body);
        return body;
    }

    @Override
    public PxScene world() {
        return scene;
    }

    @Override
    public PxRigidDynamic addBox(double x, double y) {
        return addShaped(x, y, 0, 0, 0.5, 0.5);
    }

    @Override
    public PxRigidActor addPlatform(double x, double y) {
        PxRigidDynamic platform = addShaped(x, y, 0, 0, 4, 0.25);
        platform.setRigidBodyFlag(PxRigidBodyFlagEnum.eKINEMATIC, true);
        return platform;
    }

    /** Releases the actor, as games do, which gives its memory to the next actor. */
    @Override
    public void remove(PxRigidActor body) {
        scene.removeActor(body);
        body.release();
    }

    @Override
    public void setVelocity(PxRigidActor body, double vx, double vy) {
        ((PxRigidDynamic) body).setLinearVelocity(new PxVec3((float) vx, (float) vy, 0));
    }

    @Override
    public boolean spin(PxRigidActor body, double wx, double wy, double wz) {
        PxRigidDynamic moving = (PxRigidDynamic) body;
        moving.setMaxAngularVelocity(1e5f);
        moving.setAngularDamping(0);
        moving.setAngularVelocity(new PxVec3((float) wx, (float) wy, (float) wz));
        return true;
    }

    @Override
    public void turn(PxRigidActor body, double angle) {
        PxQuat to = new PxQuat(0, 0, (float) Math.sin(angle / 2), (float) Math.cos(angle / 2));
        PxVec3 at = body.getGlobalPose().getP();
        body.setGlobalPose(new PxTransform(new PxVec3(at.getX(), at.getY(), at.getZ()), to));
    }

    @Override
    public void place(PxRigidActor body, double x, double y) {
        PxQuat now = body.getGlobalPose().getQ();
        PxQuat kept = new PxQuat(now.getX(), now.getY(), now.getZ(), now.getW());
        body.setGlobalPose(new PxTransform(new PxVec3((float) x, (float) y, 0), kept));
    }

    @Override
    public PxRigidActor addFixed(double x, double y, double... boxes) {
        PxRigidActor body = physics().createRigidStatic(at(x, y));
        addShapes(body, boxes);
        scene.addActor(body);
        return body;
    }

    @Override
    public PxRigidDynamic addShaped(double x, double y, double... boxes) {
        PxRigidDynamic body = physics().createRigidDynamic(at(x, y));
        addShapes(body, boxes);
        PxRigidBodyExt.setMassAndUpdateInertia(body, 10);
        scene.addActor(body);
        return body;
    }

    private static void addShapes(PxRigidActor body, double... boxes) {
        for (int i = 0; i < boxes.length; i += 4) {
            addShape(body, new PxBoxGeometry((float) boxes[i + 2], (float) boxes[i + 3], 0.5f))
                    .setLocalPose(at(boxes[i], boxes[i + 1]));
        }
    }

    /** Sets all flags in one call: PhysX forgets contacts of a shape that two calls take out of the scene and put back as a solid one. */
    @Override
    public boolean setSensor(PxRigidActor body, boolean isSensor) {
        for (int i = 0; i < body.getNbShapes(); i++) {
            SupportFunctions.PxActor_getShape(body, i).setFlags(isSensor ? SENSOR : SOLID);
        }
        return true;
    }

    @Override
    public boolean removeShape(PxRigidActor body) {
        body.detachShape(SupportFunctions.PxActor_getShape(body, body.getNbShapes() - 1), false);
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        scene.simulate((float) dtSeconds);
        scene.fetchResults(true);
    }

    @Override
    public double[] pose(PxRigidActor body) {
        PxTransform pose = body.getGlobalPose();
        PxVec3 p = pose.getP();
        PxQuat q = pose.getQ();
        return new double[] {p.getX(), p.getY(), p.getZ(), q.getX(), q.getY(), q.getZ(), q.getW()};
    }

    @Override
    public boolean isAsleep(PxRigidActor body) {
        return ((PxRigidDynamic) body).isSleeping();
    }

    @Override
    public void close() {
        scene.release();
    }
}
