package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.ChainShape;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.EdgeShape;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Converts Box2D's fixtures to forms that are 20 cm thick, in the coordinates of their body. */
final class Box2dForms {

    private static final double HALF_THICKNESS_METRES = 0.1;

    private Box2dForms() {}

    static @Nullable BodyShape shapeOf(Body body) {
        MeshBuilder mesh = new MeshBuilder();
        for (int i = 0; i < body.getFixtureList().size; i++) {
            Fixture fixture = body.getFixtureList().get(i);
            add(fixture.getShape(), mesh);
        }
        return mesh.isEmpty() ? null : new BodyShape(mesh.build(), body.getType() == BodyType.KinematicBody);
    }

    private static void add(Shape shape, MeshBuilder mesh) {
        if (shape instanceof CircleShape circle) {
            Vector2 centre = circle.getPosition();
            mesh.add((x, y, z, corner) -> {
                double scale = circle.getRadius() / Math.hypot(x, y);
                corner[0] = centre.x + scale * x;
                corner[1] = centre.y + scale * y;
                corner[2] = Math.copySign(HALF_THICKNESS_METRES, z);
            });
        } else if (shape instanceof PolygonShape polygon) {
            addHull(polygon.getVertexCount(), (to, i) -> polygon.getVertex(i, to), mesh);
        } else if (shape instanceof EdgeShape edge) {
            addHull(2, (to, i) -> vertex(edge, i, to), mesh);
        } else if (shape instanceof ChainShape chain) { // a closed chain repeats its first point at the end
            for (int i = 1; i < chain.getVertexCount(); i++) {
                int from = i - 1;
                addHull(2, (to, j) -> chain.getVertex(from + j, to), mesh);
            }
        }
    }

    private static void vertex(EdgeShape edge, int index, Vector2 to) {
        if (index == 0) {
            edge.getVertex1(to);
        } else {
            edge.getVertex2(to);
        }
    }

    private static void addHull(int count, ObjIntConsumer<Vector2> vertices, MeshBuilder mesh) {
        double[] points = new double[6 * count];
        Vector2 vertex = new Vector2();
        for (int i = 0; i < 2 * count; i++) {
            vertices.accept(vertex, i / 2);
            points[3 * i] = vertex.x;
            points[3 * i + 1] = vertex.y;
            points[3 * i + 2] = i % 2 == 0 ? HALF_THICKNESS_METRES : -HALF_THICKNESS_METRES;
        }
        mesh.add(MeshBuilder.hull(points));
    }
}
