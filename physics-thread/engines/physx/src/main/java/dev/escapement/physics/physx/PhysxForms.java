package dev.escapement.physics.physx;

import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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
import physx.geometry.PxGeometryTypeEnum;
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

/** The forms of PhysX's shapes, along the axes of their actor. */
final class PhysxForms {

    /** Half of a quarter turn about z has this sine and cosine: the usual way to stand a capsule up, which PhysX lays along x. */
    private static final double HALF_RIGHT_ANGLE = Math.sqrt(0.5);

    private static final double LITTLE = 1e-6;

    private PhysxForms() {}

    /** The form of an actor, null if it has no shapes whose form is known. Triggers are left out. */
    static BodyShape.@Nullable Form formOf(PxRigidActor actor) {
        List<PxShape> shapes = new ArrayList<>();
        for (int i = 0; i < actor.getNbShapes(); i++) {
            PxShape shape = SupportFunctions.PxActor_getShape(actor, i);
            if (!shape.getFlags().isSet(PxShapeFlagEnum.eTRIGGER_SHAPE)) {
                shapes.add(shape);
            }
        }
        BodyShape.Form form = shapes.size() == 1 ? simple(shapes.get(0)) : null;
        if (form == null) {
            MeshBuilder mesh = new MeshBuilder();
            shapes.forEach(shape -> add(shape, mesh));
            form = mesh.isEmpty() ? null : mesh.build();
        }
        return form;
    }

    private static BodyShape.@Nullable Form simple(PxShape shape) {
        double[] at = pose(shape);
        if (Math.abs(at[0]) + Math.abs(at[1]) + Math.abs(at[2]) > LITTLE) {
            return null;
        }
        boolean turned = 1 - Math.abs(at[6]) > LITTLE;
        long geometry = shape.getGeometry().getAddress();
        PxGeometryTypeEnum type = shape.getGeometry().getType();
        if (type == PxGeometryTypeEnum.eSPHERE) {
            return new BodyShape.Sphere(PxSphereGeometry.wrapPointer(geometry).getRadius());
        }
        if (type == PxGeometryTypeEnum.eBOX && !turned) {
            PxVec3 half = PxBoxGeometry.wrapPointer(geometry).getHalfExtents();
            return new BodyShape.Box(half.getX(), half.getY(), half.getZ());
        }
        boolean upright =
                Math.abs(Math.abs(at[5]) - HALF_RIGHT_ANGLE) + Math.abs(Math.abs(at[6]) - HALF_RIGHT_ANGLE) < LITTLE;
        if (type == PxGeometryTypeEnum.eCAPSULE && upright) {
            PxCapsuleGeometry capsule = PxCapsuleGeometry.wrapPointer(geometry);
            return new BodyShape.Capsule(capsule.getRadius(), capsule.getHalfHeight());
        }
        return null;
    }

    private static void add(PxShape shape, MeshBuilder mesh) {
        double[] at = pose(shape);
        PxGeometry geometry = shape.getGeometry();
        long address = geometry.getAddress();
        switch (geometry.getType()) {
            case eSPHERE -> {
                double r = PxSphereGeometry.wrapPointer(address).getRadius();
                add(mesh, at, (x, y, z, corner) -> set(corner, r * x, r * y, r * z));
            }
            case eBOX -> {
                PxVec3 half = PxBoxGeometry.wrapPointer(address).getHalfExtents();
                double[] h = {half.getX(), half.getY(), half.getZ()};
                add(
                        mesh,
                        at,
                        (x, y, z, corner) ->
                                set(corner, Math.copySign(h[0], x), Math.copySign(h[1], y), Math.copySign(h[2], z)));
            }
            case eCAPSULE -> {
                PxCapsuleGeometry capsule = PxCapsuleGeometry.wrapPointer(address);
                double r = capsule.getRadius();
                double half = capsule.getHalfHeight();
                add(mesh, at, (x, y, z, corner) -> set(corner, r * x + Math.copySign(half, x), r * y, r * z));
            }
            case eCONVEXMESH -> {
                PxConvexMeshGeometry hull = PxConvexMeshGeometry.wrapPointer(address);
                PxConvexMesh convex = hull.getConvexMesh();
                double[][] points = points(convex.getVertices(), convex.getNbVertices(), hull.getScale());
                add(
                        mesh,
                        at,
                        MeshBuilder.hull(Stream.of(points)
                                .flatMapToDouble(Arrays::stream)
                                .toArray()));
            }
            case eTRIANGLEMESH -> addTriangles(PxTriangleMeshGeometry.wrapPointer(address), at, mesh);
            default -> {
                // planes have no end, and heightfields are not read
            }
        }
    }

    /** Adds a convex form that is given along the axes of a shape. */
    private static void add(MeshBuilder mesh, double[] at, MeshBuilder.Form inShape) {
        mesh.add((x, y, z, corner) -> {
            inShape.farthest(x, y, z, corner); // in all directions, so it does not matter along which axes they are
            place(at, corner);
        });
    }

    private static void addTriangles(PxTriangleMeshGeometry geometry, double[] at, MeshBuilder mesh) {
        PxTriangleMesh triangles = geometry.getTriangleMesh();
        double[][] points = points(triangles.getVertices(), triangles.getNbVertices(), geometry.getScale());
        for (double[] point : points) {
            place(at, point);
        }
        boolean small = triangles.getTriangleMeshFlags().isSet(PxTriangleMeshFlagEnum.e16_BIT_INDICES);
        NativeObject indices = triangles.getTriangles();
        for (int i = 0; i < 3 * triangles.getNbTriangles(); i += 3) {
            mesh.add(
                    points[index(indices, i, small)],
                    points[index(indices, i + 1, small)],
                    points[index(indices, i + 2, small)]);
        }
    }

    private static int index(NativeObject indices, int at, boolean small) {
        return small
                ? NativeArrayHelpers.getU16At(NativeArrayHelpers.voidToU16Ptr(indices), at) & 0xffff
                : NativeArrayHelpers.getU32At(NativeArrayHelpers.voidToU32Ptr(indices), at);
    }

    /** The points of a mesh, scaled along the axes of its scale. */
    private static double[][] points(PxVec3 first, int count, PxMeshScale scale) {
        PxVec3 by = PxVec3.wrapPointer(scale.getAddress()); // the binding has no getters: PhysX has the factors first
        PxQuat axes = PxQuat.wrapPointer(scale.getAddress() + PxVec3.SIZEOF);
        double[] into = {0, 0, 0, axes.getX(), axes.getY(), axes.getZ(), axes.getW()};
        double[] back = {0, 0, 0, -axes.getX(), -axes.getY(), -axes.getZ(), axes.getW()};
        double[][] points = new double[count][];
        for (int i = 0; i < count; i++) {
            PxVec3 vertex = NativeArrayHelpers.getVec3At(first, i);
            double[] point = {vertex.getX(), vertex.getY(), vertex.getZ()};
            place(into, point);
            set(point, by.getX() * point[0], by.getY() * point[1], by.getZ() * point[2]);
            place(back, point);
            points[i] = point;
        }
        return points;
    }

    private static double[] pose(PxShape shape) {
        PxTransform pose = shape.getLocalPose();
        PxVec3 p = pose.getP();
        PxQuat q = pose.getQ();
        return new double[] {p.getX(), p.getY(), p.getZ(), q.getX(), q.getY(), q.getZ(), q.getW()};
    }

    /** Rotates a point by the quaternion of a pose, and moves it by its position. */
    private static void place(double[] pose, double[] point) {
        double tx = 2 * (pose[4] * point[2] - pose[5] * point[1]);
        double ty = 2 * (pose[5] * point[0] - pose[3] * point[2]);
        double tz = 2 * (pose[3] * point[1] - pose[4] * point[0]);
        set(
                point,
                pose[0] + point[0] + pose[6] * tx + pose[4] * tz - pose[5] * ty,
                pose[1] + point[1] + pose[6] * ty + pose[5] * tx - pose[3] * tz,
                pose[2] + point[2] + pose[6] * tz + pose[3] * ty - pose[4] * tx);
    }

    private static void set(double[] corner, double x, double y, double z) {
        corner[0] = x;
        corner[1] = y;
        corner[2] = z;
    }
}
