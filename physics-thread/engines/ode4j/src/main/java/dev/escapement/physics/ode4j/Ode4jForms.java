package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DVector3;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DCapsule;
import org.ode4j.ode.DCylinder;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DSphere;
import org.ode4j.ode.DTriMesh;
import org.ode4j.ode.internal.DxConvex;
import org.ode4j.ode.internal.trimesh.DxTriMeshData;

/** Converts ODE's geoms to forms, in the coordinates of their body. Only internal classes of ode4j have the points of hulls and meshes. */
final class Ode4jForms {

    private Ode4jForms() {}

    /** Returns the shape of a body, null if it has no geoms whose form is known. */
    static @Nullable BodyShape shapeOf(DBody body) {
        List<DGeom> geoms = new ArrayList<>();
        body.getGeomIterator().forEachRemaining(geoms::add);
        BodyShape.Form form = geoms.size() == 1 ? simple(geoms.get(0)) : null;
        if (form == null) {
            MeshBuilder mesh = new MeshBuilder();
            geoms.forEach(geom -> add(geom, mesh));
            form = mesh.isEmpty() ? null : mesh.build();
        }
        return form == null ? null : new BodyShape(form, body.isKinematic());
    }

    private static BodyShape.@Nullable Form simple(DGeom geom) {
        if (geom.isOffset()) {
            return null;
        }
        if (geom instanceof DBox box) {
            DVector3C edges = box.getLengths();
            return new BodyShape.Box((float) edges.get0() / 2, (float) edges.get1() / 2, (float) edges.get2() / 2);
        }
        return geom instanceof DSphere sphere ? new BodyShape.Sphere((float) sphere.getRadius()) : null;
    }

    private static void add(DGeom geom, MeshBuilder mesh) {
        MeshBuilder.Form form = null;
        if (geom instanceof DBox box) {
            DVector3C edges = box.getLengths();
            form = (x, y, z, corner) -> set(
                    corner,
                    Math.copySign(edges.get0() / 2, x),
                    Math.copySign(edges.get1() / 2, y),
                    Math.copySign(edges.get2() / 2, z));
        } else if (geom instanceof DSphere sphere) {
            double r = sphere.getRadius();
            form = (x, y, z, corner) -> set(corner, r * x, r * y, r * z);
        } else if (geom instanceof DCapsule capsule) { // along z; its length excludes the round ends
            double r = capsule.getRadius();
            double half = capsule.getLength() / 2;
            form = (x, y, z, corner) -> set(corner, r * x, r * y, r * z + Math.copySign(half, z));
        } else if (geom instanceof DCylinder cylinder) {
            double half = cylinder.getLength() / 2;
            form = (x, y, z, corner) -> {
                double scale = cylinder.getRadius() / Math.hypot(x, y);
                set(corner, scale * x, scale * y, Math.copySign(half, z));
            };
        } else if (geom instanceof DxConvex convex) {
            form = MeshBuilder.hull(Arrays.copyOf(convex.getPoints(), 3 * convex.getPointcount()));
        } else if (geom instanceof DTriMesh triangles && triangles.getTriMeshData() instanceof DxTriMeshData data) {
            addTriangles(data, geom, mesh);
        }
        if (form != null) {
            MeshBuilder.Form inGeom = form;
            mesh.add((x, y, z, corner) -> {
                inGeom.farthest(x, y, z, corner);
                place(geom, corner);
            });
        }
    }

    private static void addTriangles(DxTriMeshData data, DGeom geom, MeshBuilder mesh) {
        float[] points = data.retrieveVertexInstances();
        int[] indices = data.retrieveTriangleVertexIndices();
        double[][] corners = new double[3][3];
        for (int i = 0; i < indices.length; i++) {
            int at = 3 * indices[i];
            set(corners[i % 3], points[at], points[at + 1], points[at + 2]);
            place(geom, corners[i % 3]);
            if (i % 3 == 2) {
                mesh.add(corners[0], corners[1], corners[2]);
            }
        }
    }

    /** Moves a point from the axes of a geom to the axes of its body. */
    private static void place(DGeom geom, double[] corner) {
        DVector3 at = new DVector3();
        geom.getRelPointPos(corner[0], corner[1], corner[2], at);
        DVector3 relative = new DVector3();
        geom.getBody().getPosRelPoint(at, relative);
        set(corner, relative.get0(), relative.get1(), relative.get2());
    }

    private static void set(double[] corner, double x, double y, double z) {
        corner[0] = x;
        corner[1] = y;
        corner[2] = z;
    }
}
