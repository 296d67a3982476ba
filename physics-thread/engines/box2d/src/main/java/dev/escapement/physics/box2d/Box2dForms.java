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
import com.badlogic.gdx.utils.Array;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.state.world.BodyShape;
import org.jspecify.annotations.Nullable;

/** Converts Box2D's fixtures to forms that are 20 cm thick, in the coordinates of their body. */
final class Box2dForms {

    private static final double HALF_THICKNESS_METRES = 0.1;

    private Box2dForms() {}

    static @Nullable BodyShape shapeOf(Body body, MeshBuilder mesh) {
        Array<Fixture> fixtures = body.getFixtureList();
        while (mesh.next(fixtures.size)) {
            add(fixtures.get(mesh.part()).getShape(), mesh);
        }
        return mesh.isEmpty() ? null : new BodyShape(mesh.build(), body.getType() == BodyType.KinematicBody);
    }

    private static void add(Shape shape, MeshBuilder mesh) {
        if (shape instanceof CircleShape circle) {
            Vector2 centre = circle.getPosition();
            float radius = circle.getRadius();
            mesh.addRoundPrism(HALF_THICKNESS_METRES, (x, y, z, corner) -> {
                corner[0] = centre.x + radius * x;
                corner[1] = centre.y + radius * y;
            });
        } else if (shape instanceof PolygonShape) {
            float[] corners = vertices(shape);
            double[] outline = new double[corners.length];
            for (int i = 0; i < outline.length; i++) {
                outline[i] = corners[i];
            }
            mesh.addPrism(HALF_THICKNESS_METRES, outline);
        } else { // an edge or a chain; a closed chain repeats its first point at the end
            float[] points = vertices(shape);
            for (int i = 2; i < points.length; i += 2) {
                mesh.addPrism(HALF_THICKNESS_METRES, points[i - 2], points[i - 1], points[i], points[i + 1]);
            }
        }
    }

    /**
     * Returns x and y of each vertex of a shape; of a circle, its centre. One thread at a time, because the binding reads vertices by way
     * of static arrays, also those of other worlds.
     */
    static synchronized float[] vertices(Shape shape) {
        Vector2 vertex = new Vector2();
        if (shape instanceof CircleShape circle) {
            return new float[] {circle.getPosition().x, circle.getPosition().y};
        } else if (shape instanceof EdgeShape edge) {
            Vector2 to = new Vector2();
            edge.getVertex1(vertex);
            edge.getVertex2(to);
            return new float[] {vertex.x, vertex.y, to.x, to.y};
        }
        PolygonShape polygon = shape instanceof PolygonShape convex ? convex : null;
        ChainShape chain = shape instanceof ChainShape open ? open : null;
        float[] vertices = new float
                [2 * (polygon != null ? polygon.getVertexCount() : chain == null ? 0 : chain.getVertexCount())];
        for (int i = 0; i < vertices.length; i += 2) {
            if (polygon != null) {
                polygon.getVertex(i / 2, vertex);
            } else if (chain != null) {
                chain.getVertex(i / 2, vertex);
            }
            vertices[i] = vertex.x;
            vertices[i + 1] = vertex.y;
        }
        return vertices;
    }
}
