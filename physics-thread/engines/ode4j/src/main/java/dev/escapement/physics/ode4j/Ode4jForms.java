package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DMatrix3;
import org.ode4j.math.DVector3;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DCapsule;
import org.ode4j.ode.DCylinder;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DSphere;
import org.ode4j.ode.DTriMesh;
import org.ode4j.ode.OdeMath;
import org.ode4j.ode.internal.DxConvex;
import org.ode4j.ode.internal.trimesh.DxTriMeshData;

/** Converts ODE's geoms to forms, in the coordinates of their body. Only internal classes of ode4j have the points of hulls and meshes. */
final class Ode4jForms {

    private Ode4jForms() {}

    /** Returns the shape of a body with these geoms, null if the form of none is known. */
    static @Nullable BodyShape shapeOf(DBody body, List<DGeom> geoms, MeshBuilder mesh) {
        BodyShape.Form form = geoms.size() == 1 ? simple(geoms.get(0)) : null;
        while (form == null && mesh.next(geoms.size())) {
            add(geoms.get(mesh.part()), mesh);
        }
        if (form == null && !mesh.isEmpty()) {
            form = mesh.build();
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
            DVector3 half = new DVector3(box.getLengths()).scale(0.5);
            form = (x, y, z, corner) -> set(
                    corner,
                    Math.copySign(half.get0(), x),
                    Math.copySign(half.get1(), y),
                    Math.copySign(half.get2(), z));
        } else if (geom instanceof DSphere sphere) {
            double r = sphere.getRadius();
            form = (x, y, z, corner) -> set(corner, r * x, r * y, r * z);
        } else if (geom instanceof DCapsule capsule) { // along z; its length excludes the round ends
            double r = capsule.getRadius();
            double half = capsule.getLength() / 2;
            form = (x, y, z, corner) -> set(corner, r * x, r * y, r * z + Math.copySign(half, z));
        } else if (geom instanceof DCylinder cylinder) {
            double r = cylinder.getRadius();
            double half = cylinder.getLength() / 2;
            form = (x, y, z, corner) -> {
                double scale = r / Math.hypot(x, y);
                set(corner, scale * x, scale * y, Math.copySign(half, z));
            };
        } else if (geom instanceof DxConvex convex) {
            form = MeshBuilder.hull(Arrays.copyOf(convex.getPoints(), 3 * convex.getPointcount()));
        } else if (geom instanceof DTriMesh triangles && triangles.getTriMeshData() instanceof DxTriMeshData data) {
            addTriangles(data, geom, mesh);
        }
        if (form != null) {
            MeshBuilder.Form inGeom = form;
            Consumer<double[]> place = placeOf(geom);
            mesh.add((x, y, z, corner) -> {
                inGeom.farthest(x, y, z, corner);
                place.accept(corner);
            });
        }
    }

    private static void addTriangles(DxTriMeshData data, DGeom geom, MeshBuilder mesh) {
        float[] points = data.retrieveVertexInstances().clone();
        int[] indices = data.retrieveTriangleVertexIndices().clone();
        Consumer<double[]> place = placeOf(geom);
        mesh.addLater(to -> {
            double[][] corners = new double[3][3];
            for (int i = 0; i < indices.length; i++) {
                int at = 3 * indices[i];
                set(corners[i % 3], points[at], points[at + 1], points[at + 2]);
                place.accept(corners[i % 3]);
                if (i % 3 == 2) {
                    to.add(corners[0], corners[1], corners[2]);
                }
            }
        });
    }

    /** Returns what moves a point from the axes of a geom to the axes of its body, with a copy of the geom's offset. */
    private static Consumer<double[]> placeOf(DGeom geom) {
        if (!geom.isOffset()) {
            return corner -> {};
        }
        DVector3 at = new DVector3(geom.getOffsetPosition());
        DMatrix3 turn = new DMatrix3(geom.getOffsetRotation());
        return corner -> {
            DVector3 turned = new DVector3();
            OdeMath.dMultiply0_331(turned, turn, new DVector3(corner[0], corner[1], corner[2]));
            turned.add(at);
            set(corner, turned.get0(), turned.get1(), turned.get2());
        };
    }

    private static void set(double[] corner, double x, double y, double z) {
        corner[0] = x;
        corner[1] = y;
        corner[2] = z;
    }
}
