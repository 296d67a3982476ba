package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ode4j.math.DQuaternion;
import org.ode4j.ode.DAABBC;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DTriMeshData;
import org.ode4j.ode.OdeHelper;

/** Compares the forms of ODE's geoms with ODE's own bounding boxes. */
class Ode4jFormsTest {

    private static final double[] ORIGIN = {0, 0, 0, 0, 0, 0, 1};

    /** The corners of a tetrahedron's faces, counterclockwise. */
    private static final int[] TETRAHEDRON = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

    private final Ode4jGame game = new Ode4jGame();

    @AfterEach
    void close() {
        game.close();
    }

    @Test
    void shouldReportBoxesAndBallsAsWhatTheyAre() {
        assertThat(form(OdeHelper.createBox(2, 4, 6))).isEqualTo(new BodyShape.Box(1, 2, 3));
        assertThat(shape(body())).isNull();
        assertThat(form(OdeHelper.createSphere(0.75))).isEqualTo(new BodyShape.Sphere(0.75f));
    }

    @Test
    void shouldReportWhatStandsAlongZAsTriangles() {
        TriangleMesh capsule = mesh(0.02, OdeHelper.createCapsule(0.5, 3));
        assertThat(ShapeMeasures.bounds(capsule, ORIGIN)).containsExactly(-0.5, -0.5, -2, 0.5, 0.5, 2);
        TriangleMesh cylinder = mesh(0.02, OdeHelper.createCylinder(0.5, 3));
        assertThat(ShapeMeasures.bounds(cylinder, ORIGIN)).containsExactly(-0.5, -0.5, -1.5, 0.5, 0.5, 1.5);
        assertThat(ShapeMeasures.volume(cylinder)).isCloseTo(Math.PI / 4 * 3, within(0.05));
    }

    @Test
    void shouldReportHullsAndMeshes() {
        double[] points = {0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1};
        double third = 1 / Math.sqrt(1 / 9.0 + 1 / 4.0 + 1);
        double[] planes = {0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, 0, third / 3, third / 2, third, third};
        int[] faces = {3, 0, 2, 1, 3, 0, 1, 3, 3, 0, 3, 2, 3, 1, 2, 3};
        TriangleMesh hull = mesh(1e-5, OdeHelper.createConvex(planes, 4, points, 4, faces));
        assertThat(ShapeMeasures.volume(hull)).isCloseTo(1, within(1e-6));
        DTriMeshData data = OdeHelper.createTriMeshData();
        data.build(new float[] {0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1}, TETRAHEDRON);
        TriangleMesh mesh = mesh(1e-5, OdeHelper.createTriMesh(null, data, null, null, null));
        assertThat(mesh.corners()).hasSize(4 * 9);
        assertThat(mesh.corners()).as("not rotated with the body").startsWith(0, 0, 0, 0, 2, 0, 3, 0, 0);
        assertThat(ShapeMeasures.volume(mesh)).isCloseTo(1, within(1e-6));
    }

    @Test
    void shouldPutTheGeomsOfABodyTogether() {
        DGeom ball = OdeHelper.createSphere(0.5);
        DGeom arm = OdeHelper.createBox(2, 0.5, 0.5);
        DBody body = body(ball, arm);
        ball.setOffsetPosition(0, 3, 0);
        arm.setOffsetPosition(-1, 1, 2);
        arm.setOffsetQuaternion(new DQuaternion(Math.cos(0.3), 0, Math.sin(0.3), 0));
        TriangleMesh mesh = (TriangleMesh) form(body);
        assertThat(ShapeMeasures.bounds(mesh, game.pose(body))).containsExactly(bounds(ball, arm), within(0.02));
        assertThat(ShapeMeasures.volume(mesh)).isCloseTo(0.5 + Math.PI / 6, within(0.03));
        DGeom aside = OdeHelper.createBox(2, 4, 6);
        body(aside);
        aside.setOffsetPosition(5, 0, 0);
        double[] bounds = ShapeMeasures.bounds(form(aside.getBody()), ORIGIN);
        assertThat(bounds).containsExactly(4, -2, -3, 6, 2, 3);
    }

    private BodyShape.Form form(DGeom geom) {
        return form(body(geom));
    }

    private static BodyShape.Form form(DBody body) {
        return Objects.requireNonNull(shape(body)).form();
    }

    private static @Nullable BodyShape shape(DBody body) {
        List<DGeom> geoms = new ArrayList<>();
        body.getGeomIterator().forEachRemaining(geoms::add);
        return Ode4jForms.shapeOf(body, geoms, new MeshBuilder());
    }

    private TriangleMesh mesh(double toleranceMetres, DGeom geom) {
        DBody body = body(geom);
        TriangleMesh mesh = (TriangleMesh) form(body);
        assertThat(ShapeMeasures.bounds(mesh, game.pose(body))).containsExactly(bounds(geom), within(toleranceMetres));
        assertThat(ShapeMeasures.volume(mesh)).as("not inside out").isPositive();
        body.setPosition(-100, 7, 0.3);
        body.setQuaternion(new DQuaternion(0.5, 0.5, -0.5, 0.5));
        assertThat(form(body)).as("at any place of the body").isEqualTo(mesh);
        return mesh;
    }

    private DBody body(DGeom... geoms) {
        DBody body = OdeHelper.createBody(game.world());
        for (DGeom geom : geoms) {
            geom.setBody(body);
        }
        body.setPosition(3, 40, 5);
        body.setQuaternion(new DQuaternion(0.5, 0.5, 0.5, 0.5)); // x to y, y to z, z to x: ODE's bounds fit closely
        return body;
    }

    private static double[] bounds(DGeom... geoms) {
        double[] bounds = new double[6];
        for (int axis = 0; axis < 3; axis++) {
            bounds[axis] = Double.POSITIVE_INFINITY;
            bounds[3 + axis] = Double.NEGATIVE_INFINITY;
            for (DGeom geom : geoms) {
                DAABBC box = geom.getAABB();
                bounds[axis] = Math.min(bounds[axis], box.getMin(axis));
                bounds[3 + axis] = Math.max(bounds[3 + axis], box.getMax(axis));
            }
        }
        return bounds;
    }
}
