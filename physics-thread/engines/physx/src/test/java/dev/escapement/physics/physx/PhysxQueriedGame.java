package dev.escapement.physics.physx;

import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashSet;
import java.util.Set;
import physx.PxTopLevelFunctions;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.cooking.PxConvexFlagEnum;
import physx.cooking.PxConvexFlags;
import physx.cooking.PxConvexMeshDesc;
import physx.cooking.PxCookingParams;
import physx.cooking.PxTriangleMeshDesc;
import physx.extensions.PxRigidBodyExt;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxConvexMesh;
import physx.geometry.PxConvexMeshGeometry;
import physx.geometry.PxSphereGeometry;
import physx.geometry.PxTriangleMesh;
import physx.geometry.PxTriangleMeshGeometry;
import physx.physics.PxHitFlagEnum;
import physx.physics.PxHitFlags;
import physx.physics.PxOverlapResult;
import physx.physics.PxQueryFilterData;
import physx.physics.PxQueryFlagEnum;
import physx.physics.PxQueryFlags;
import physx.physics.PxRaycastResult;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidBodyFlagEnum;
import physx.physics.PxRigidDynamic;
import physx.physics.PxScene;
import physx.physics.PxSweepResult;
import physx.support.PxArray_PxU32;
import physx.support.PxArray_PxVec3;
import physx.support.SupportFunctions;

/** A game whose hulls and meshes are cooked once. A mesh is kinematic, because PhysX moves no mesh by forces. */
final class PhysxQueriedGame extends PhysxGame implements QueriedGame<PxScene, PxRigidActor> {

    private static final class Meshes {

        static final PxCookingParams COOKING = new PxCookingParams(physics().getTolerancesScale());
        static final PxConvexMesh HULL = hull(-0.5f, -0.5f, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.7f);
        static final PxTriangleMesh MESH = mesh(new int[] {0, 1, 2, 1, 3, 2}, -2, 0, -2, 0, 0, 2, 2, 0, -2, 0, 3, 2);

        private static PxArray_PxVec3 points(float... numbers) {
            PxArray_PxVec3 points = new PxArray_PxVec3();
            for (int i = 0; i < numbers.length; i += 3) {
                points.pushBack(new PxVec3(numbers[i], numbers[i + 1], numbers[i + 2]));
            }
            return points;
        }

        private static PxConvexMesh hull(float... numbers) {
            PxArray_PxVec3 points = points(numbers);
            PxConvexMeshDesc hull = new PxConvexMeshDesc();
            hull.setFlags(new PxConvexFlags((short) PxConvexFlagEnum.eCOMPUTE_CONVEX.value));
            hull.getPoints().setStride(PxVec3.SIZEOF);
            hull.getPoints().setCount(points.size());
            hull.getPoints().setData(points.begin());
            return PxTopLevelFunctions.CreateConvexMesh(COOKING, hull);
        }

        private static PxTriangleMesh mesh(int[] corners, float... numbers) {
            PxArray_PxVec3 points = points(numbers);
            PxArray_PxU32 indices = new PxArray_PxU32();
            for (int corner : corners) {
                indices.pushBack(corner);
            }
            PxTriangleMeshDesc mesh = new PxTriangleMeshDesc();
            mesh.getPoints().setStride(PxVec3.SIZEOF);
            mesh.getPoints().setCount(points.size());
            mesh.getPoints().setData(points.begin());
            mesh.getTriangles().setStride(3 * Integer.BYTES);
            mesh.getTriangles().setCount(corners.length / 3);
            mesh.getTriangles().setData(indices.begin());
            return PxTopLevelFunctions.CreateTriangleMesh(COOKING, mesh);
        }
    }

    private static final PxHitFlags USUAL = new PxHitFlags((short) PxHitFlagEnum.eDEFAULT.value);
    private static final PxQueryFilterData ALL = new PxQueryFilterData(new PxQueryFlags((short)
            (PxQueryFlagEnum.eSTATIC.value | PxQueryFlagEnum.eDYNAMIC.value | PxQueryFlagEnum.eNO_BLOCK.value)));

    PhysxQueriedGame() {
        super(0);
    }

    @Override
    public boolean isFlat() {
        return false;
    }

    private static void addShapes(PxRigidActor body, Kind kind) {
        switch (kind) {
            case BOX -> addShape(body, new PxBoxGeometry(0.5f, 0.5f, 0.5f));
            case BALL -> addShape(body, new PxSphereGeometry(0.4f));
            case HULL -> addShape(body, new PxConvexMeshGeometry(Meshes.HULL));
            case COMPOUND -> {
                addShape(body, new PxBoxGeometry(0.6f, 0.2f, 0.3f)).setLocalPose(at(1, 0));
                addShape(body, new PxSphereGeometry(0.5f)).setLocalPose(at(0, 0.3f));
            }
            case MESH -> addShape(body, new PxTriangleMeshGeometry(Meshes.MESH));
        }
    }

    private static PxTransform at(double[] pose) {
        PxQuat turned = new PxQuat((float) pose[3], (float) pose[4], (float) pose[5], (float) pose[6]);
        return new PxTransform(point(pose), turned);
    }

    private static PxVec3 point(double... at) {
        return new PxVec3((float) at[0], (float) at[1], (float) at[2]);
    }

    @Override
    public PxRigidActor addForm(Kind kind, double[] pose) {
        PxRigidDynamic body = physics().createRigidDynamic(at(pose));
        body.setRigidBodyFlag(PxRigidBodyFlagEnum.eKINEMATIC, kind == Kind.MESH);
        addShapes(body, kind);
        if (kind != Kind.MESH) {
            PxRigidBodyExt.setMassAndUpdateInertia(body, 10);
        }
        world().addActor(body);
        return body;
    }

    @Override
    public boolean reform(PxRigidActor body, Kind kind) {
        while (body.getNbShapes() > 0) {
            body.detachShape(SupportFunctions.PxActor_getShape(body, 0));
        }
        addShapes(body, kind);
        return true;
    }

    private static double length(double[] way) {
        return Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    }

    private static PxVec3 direction(double[] way, double length) {
        return point(way[0] / length, way[1] / length, way[2] / length);
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        double length = length(way);
        PxRaycastResult hit = new PxRaycastResult();
        world().raycast(point(from), direction(way, length), (float) length, hit, USUAL, ALL);
        Hit found = Hit.NONE;
        for (int i = 0; i < hit.getNbTouches(); i++) {
            found = nearer(found, hit.getTouch(i).getActor(), hit.getTouch(i).getDistance() / length);
        }
        hit.destroy();
        return found;
    }

    private static Hit nearer(Hit hit, PxRigidActor body, double fraction) {
        return fraction < hit.fraction() ? new Hit(body, fraction) : hit;
    }

    private static PxBoxGeometry box(Form form) {
        BodyShape.Box box = (BodyShape.Box) form;
        return new PxBoxGeometry(box.halfX(), box.halfY(), box.halfZ());
    }

    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        Set<Object> found = new HashSet<>();
        PxOverlapResult hits = new PxOverlapResult();
        world().overlap(box(form), at(pose), hits, ALL);
        for (int i = 0; i < hits.getNbTouches(); i++) {
            found.add(hits.getTouch(i).getActor());
        }
        hits.destroy();
        return found;
    }

    @Override
    public Hit sweep(Form form, double[] pose, double[] way) {
        double length = length(way);
        PxSweepResult hit = new PxSweepResult();
        world().sweep(box(form), at(pose), direction(way, length), (float) length, hit, USUAL, ALL);
        Hit found = Hit.NONE;
        for (int i = 0; i < hit.getNbTouches(); i++) {
            found = nearer(found, hit.getTouch(i).getActor(), hit.getTouch(i).getDistance() / length);
        }
        hit.destroy();
        return found;
    }
}
