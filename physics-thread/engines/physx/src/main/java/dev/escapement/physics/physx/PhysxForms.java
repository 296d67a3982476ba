package dev.escapement.physics.physx;

import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import org.jspecify.annotations.Nullable;
import physx.NativeObject;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxCapsuleGeometry;
import physx.geometry.PxConvexMesh;
import physx.geometry.PxConvexMeshGeometry;
import physx.geometry.PxGeometry;
import physx.geometry.PxMeshScale;
import physx.geometry.PxSphereGeometry;
import physx.geometry.PxTriangleMesh;
import physx.geometry.PxTriangleMeshFlagEnum;
import physx.geometry.PxTriangleMeshGeometry;
import physx.physics.PxRigidActor;
import physx.physics.PxShape;
import physx.physics.PxShapeFlagEnum;
import physx.support.NativeArrayHelpers;
import physx.support.SupportFunctions;

/** Converts PhysX's shapes to forms along the axes of their actor. Arrays of points have x, y, z of one point after the other. */
final class PhysxForms {

    private static final double LITTLE = 1e-5;

    private PhysxForms() {}

    /** Returns the form of an actor, null if it has no shapes whose form is known. Triggers are left out. */
    static BodyShape.@Nullable Form formOf(PxRigidActor actor, MeshBuilder mesh) {
        BodyShape.Form simple = null;
        int shapes = actor.getNbShapes();
        while (mesh.next(shapes)) {
            PxShape shape = SupportFunctions.PxActor_getShape(actor, mesh.part());
            if (!shape.getFlags().isSet(PxShapeFlagEnum.eTRIGGER_SHAPE)) {
                boolean isFirst = mesh.isEmpty();
                BodyShape.Form form = add(shape, mesh);
                simple = isFirst ? form : null;
            }
        }
        return simple != null ? simple : mesh.isEmpty() ? null : mesh.build();
    }

    /** Adds a shape to the mesh. Also returns its form if no triangles are needed for it. */
    private static BodyShape.@Nullable Form add(PxShape shape, MeshBuilder mesh) {
        PxTransform at = shape.getLocalPose();
        PxVec3 p = at.getP();
        double[] place = {p.getX(), p.getY(), p.getZ()};
        double[] turn = quaternion(at.getQ());
        PxGeometry geometry = shape.getGeometry();
        long address = geometry.getAddress();
        switch (geometry.getType()) {
            case eSPHERE -> {
                float radius = PxSphereGeometry.wrapPointer(address).getRadius();
                double[] centre = place(place, turn, 0, 0, 0);
                addHull(radius, centre, mesh);
                return isAt(centre, 0, 0, 0) ? new BodyShape.Sphere(radius) : null;
            }
            case eBOX -> {
                PxVec3 half = PxBoxGeometry.wrapPointer(address).getHalfExtents();
                float x = half.getX();
                float y = half.getY();
                float z = half.getZ();
                double[] box = {-x, -y, -z, x, -y, -z, -x, y, -z, x, y, -z, -x, -y, z, x, -y, z, -x, y, z, x, y, z};
                double[] corners = place(place, turn, box.clone());
                addHull(0, corners, mesh);
                return isAt(corners, box) ? new BodyShape.Box(x, y, z) : null;
            }
            case eCAPSULE -> {
                PxCapsuleGeometry capsule = PxCapsuleGeometry.wrapPointer(address);
                float half = capsule.getHalfHeight();
                double[] ends = place(place, turn, -half, 0, 0, half, 0, 0); // PhysX lays a capsule along x
                addHull(capsule.getRadius(), ends, mesh);
                return isAt(ends, 0, half, 0, 0, half, 0) ? new BodyShape.Capsule(capsule.getRadius(), half) : null;
            }
            case eCONVEXMESH -> {
                PxConvexMeshGeometry hull = PxConvexMeshGeometry.wrapPointer(address);
                PxConvexMesh convex = hull.getConvexMesh();
                double[] points = points(convex.getVertices(), convex.getNbVertices(), hull.getScale());
                addHull(0, place(place, turn, points), mesh);
            }
            case eTRIANGLEMESH -> {
                PxTriangleMeshGeometry triangles = PxTriangleMeshGeometry.wrapPointer(address);
                PxTriangleMesh of = triangles.getTriangleMesh();
                double[] points = points(of.getVertices(), of.getNbVertices(), triangles.getScale());
                addTriangles(of, place(place, turn, points), mesh);
            }
            default -> {
                // Skips planes, which are infinite, and heightfields, which are not read.
            }
        }
        return null;
    }

    /**
     * Adds the hull of balls with the same radius around the points: a ball for one point, a capsule for two, and the points' hull for
     * radius 0.
     */
    private static void addHull(double radius, double[] points, MeshBuilder mesh) {
        MeshBuilder.Form hull = MeshBuilder.hull(points);
        mesh.add((x, y, z, corner) -> {
            hull.farthest(x, y, z, corner);
            corner[0] += radius * x;
            corner[1] += radius * y;
            corner[2] += radius * z;
        });
    }

    /**
     * Returns whether points are at given places, apart from the signs of coordinates. Half a turn changes only signs, and not these forms.
     */
    private static boolean isAt(double[] points, double... places) {
        for (int i = 0; i < points.length; i++) {
            if (Math.abs(Math.abs(points[i]) - Math.abs(places[i])) > LITTLE) {
                return false;
            }
        }
        return true;
    }

    private static void addTriangles(PxTriangleMesh triangles, double[] points, MeshBuilder mesh) {
        boolean small = triangles.getTriangleMeshFlags().isSet(PxTriangleMeshFlagEnum.e16_BIT_INDICES);
        NativeObject indices = triangles.getTriangles();
        double[][] corners = new double[3][3];
        for (int i = 0; i < 3 * triangles.getNbTriangles(); i++) {
            int index = small
                    ? NativeArrayHelpers.getU16At(NativeArrayHelpers.voidToU16Ptr(indices), i) & 0xffff
                    : NativeArrayHelpers.getU32At(NativeArrayHelpers.voidToU32Ptr(indices), i);
            System.arraycopy(points, 3 * index, corners[i % 3], 0, 3);
            if (i % 3 == 2) {
                mesh.add(corners[0], corners[1], corners[2]);
            }
        }
    }

    /** Returns the points of a mesh, scaled along the axes of {@code scale}, which may be rotated. */
    private static double[] points(PxVec3 first, int count, PxMeshScale scale) {
        double[] points = new double[3 * count];
        for (int i = 0; i < count; i++) {
            PxVec3 point = NativeArrayHelpers.getVec3At(first, i);
            points[3 * i] = point.getX();
            points[3 * i + 1] = point.getY();
            points[3 * i + 2] = point.getZ();
        }
        // PxMeshScale has no getters in the binding, but its factors are its first field in PhysX.
        PxVec3 by = PxVec3.wrapPointer(scale.getAddress());
        double[] factors = {by.getX(), by.getY(), by.getZ()};
        double[] axes = quaternion(PxQuat.wrapPointer(scale.getAddress() + PxVec3.SIZEOF));
        double[] origin = new double[3];
        place(origin, axes, points);
        for (int i = 0; i < points.length; i++) {
            points[i] *= factors[i % 3];
        }
        return place(origin, new double[] {-axes[0], -axes[1], -axes[2], axes[3]}, points);
    }

    private static double[] quaternion(PxQuat q) {
        return new double[] {q.getX(), q.getY(), q.getZ(), q.getW()};
    }

    /** Rotates points by a quaternion, and moves them to a place. */
    private static double[] place(double[] place, double[] q, double... points) {
        for (int i = 0; i < points.length; i += 3) {
            double x = points[i];
            double y = points[i + 1];
            double z = points[i + 2];
            double tx = 2 * (q[1] * z - q[2] * y);
            double ty = 2 * (q[2] * x - q[0] * z);
            double tz = 2 * (q[0] * y - q[1] * x);
            points[i] = place[0] + x + q[3] * tx + q[1] * tz - q[2] * ty;
            points[i + 1] = place[1] + y + q[3] * ty + q[2] * tx - q[0] * tz;
            points[i + 2] = place[2] + z + q[3] * tz + q[0] * ty - q[1] * tx;
        }
        return points;
    }
}
