package dev.escapement.physics.ode4j;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DMatrix3;
import org.ode4j.math.DMatrix3C;
import org.ode4j.math.DVector3;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DCapsule;
import org.ode4j.ode.DCylinder;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DHeightfield;
import org.ode4j.ode.DHeightfieldData;
import org.ode4j.ode.DPlane;
import org.ode4j.ode.DSphere;
import org.ode4j.ode.DTriMesh;
import org.ode4j.ode.DTriMeshData;
import org.ode4j.ode.OdeHelper;
import org.ode4j.ode.internal.DxConvex;
import org.ode4j.ode.internal.DxTrimeshHeightfield;

/**
 * A geom as it was when the physics thread read it. Immutable; shares the data of meshes and height fields, which ODE only reads.
 *
 * <p>ode4j 0.5.3 measures the hit of a ray on a hull along the normal of a face, so that slanting rays stop too early. So rays hit a mesh
 * of the hull's faces, and forms the hull.
 *
 * @param maker  makes a copy, in no space, on any thread
 * @param hitBy  {@link #RAYS} and {@link #FORMS}
 * @param shape  the number of the geom in contacts
 * @param groups its category bits
 * @param offset its position on the body
 * @param turn   its rotation on the body
 */
record Ode4jGeomCopy(
        Supplier<DGeom> maker,
        int hitBy,
        int shape,
        long groups,
        @Nullable DVector3C offset,
        @Nullable DMatrix3C turn) {

    static final int RAYS = 1;
    static final int FORMS = 2;

    // ode4j has no calls that return a hull's faces.
    private static final VarHandle NORMALS = ofHulls("planesV", DVector3[].class);
    private static final VarHandle DISTANCES = ofHulls("planesD", double[].class);
    private static final VarHandle POLYGONS = ofHulls("polygons", int[].class);

    private static VarHandle ofHulls(String field, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(DxConvex.class, MethodHandles.lookup())
                    .findVarHandle(DxConvex.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "query worlds need ode4j " + Ode4jWorldSimulation.version() + ", whose hulls they can read", e);
        }
    }

    /** Adds the copies of a geom to a list; none if no query can hit it. */
    static void add(DGeom geom, int shape, List<Ode4jGeomCopy> copies) {
        if (!geom.isEnabled()) {
            return;
        }
        if (geom instanceof DxConvex hull) {
            double[] points = Arrays.copyOf(hull.getPoints(), 3 * hull.getPointcount());
            int[] polygons = (int[]) POLYGONS.get(hull);
            double[] planes = planes((DVector3[]) NORMALS.get(hull), (double[]) DISTANCES.get(hull));
            DTriMeshData faces = faces(points, polygons, planes.length / 4);
            copies.add(of(geom, shape, FORMS, () -> OdeHelper.createConvex(planes, points, polygons)));
            copies.add(of(geom, shape, RAYS, () -> OdeHelper.createTriMesh(null, faces)));
            return;
        }
        Supplier<DGeom> maker = maker(geom);
        if (maker != null) {
            copies.add(of(geom, shape, RAYS | FORMS, maker));
        }
    }

    private static Ode4jGeomCopy of(DGeom geom, int shape, int hitBy, Supplier<DGeom> maker) {
        boolean isOffset = geom.isOffset();
        return new Ode4jGeomCopy(
                maker,
                hitBy,
                shape,
                geom.getCategoryBits(),
                isOffset ? new DVector3(geom.getOffsetPosition()) : null,
                isOffset ? new DMatrix3(geom.getOffsetRotation()) : null);
    }

    private static @Nullable Supplier<DGeom> maker(DGeom geom) {
        if (geom instanceof DBox box) {
            DVector3 edges = new DVector3(box.getLengths());
            return () -> OdeHelper.createBox(edges);
        } else if (geom instanceof DSphere sphere) {
            double radius = sphere.getRadius();
            return () -> OdeHelper.createSphere(radius);
        } else if (geom instanceof DCapsule capsule) {
            double radius = capsule.getRadius();
            double length = capsule.getLength();
            return () -> OdeHelper.createCapsule(radius, length);
        } else if (geom instanceof DCylinder cylinder) {
            double radius = cylinder.getRadius();
            double length = cylinder.getLength();
            return () -> OdeHelper.createCylinder(radius, length);
        } else if (geom instanceof DPlane plane) {
            DVector3 normal = new DVector3(plane.getNormal());
            double distance = plane.getDepth();
            return () -> OdeHelper.createPlane(null, normal.get0(), normal.get1(), normal.get2(), distance);
        } else if (geom instanceof DTriMesh mesh) {
            DTriMeshData data = mesh.getTriMeshData();
            return () -> OdeHelper.createTriMesh(null, data);
        } else if (geom instanceof DHeightfield field) { // the copy has a pose, also if the geom has none
            DHeightfieldData data = field.getHeightfieldData();
            return geom instanceof DxTrimeshHeightfield
                    ? () -> OdeHelper.createTrimeshHeightfield(null, data, true)
                    : () -> OdeHelper.createHeightfield(null, data, true);
        }
        return null;
    }

    private static double[] planes(DVector3[] normals, double[] distances) {
        double[] planes = new double[4 * normals.length];
        for (int i = 0; i < normals.length; i++) {
            planes[4 * i] = normals[i].get0();
            planes[4 * i + 1] = normals[i].get1();
            planes[4 * i + 2] = normals[i].get2();
            planes[4 * i + 3] = distances[i];
        }
        return planes;
    }

    /** Returns the faces as fans of triangles. {@code polygons} lists the number of a face's corners, then these, face by face. */
    private static DTriMeshData faces(double[] points, int[] polygons, int count) {
        float[] corners = new float[points.length];
        for (int i = 0; i < points.length; i++) {
            corners[i] = (float) points[i];
        }
        int[] triangles = new int[3 * polygons.length];
        int end = 0;
        for (int face = 0, at = 0; face < count; face++, at += polygons[at] + 1) {
            for (int corner = 2; corner < polygons[at]; corner++) {
                triangles[end++] = polygons[at + 1];
                triangles[end++] = polygons[at + corner];
                triangles[end++] = polygons[at + corner + 1];
            }
        }
        DTriMeshData data = OdeHelper.createTriMeshData();
        data.build(corners, Arrays.copyOf(triangles, end));
        return data;
    }
}
