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
        } else if (shape instanceof PolygonShape polygon) {
            double[] outline = new double[2 * polygon.getVertexCount()];
            Vector2 vertex = new Vector2();
            for (int i = 0; i < outline.length; i += 2) {
                polygon.getVertex(i / 2, vertex);
                outline[i] = vertex.x;
                outline[i + 1] = vertex.y;
            }
            mesh.addPrism(HALF_THICKNESS_METRES, outline);
        } else if (shape instanceof EdgeShape edge) {
            Vector2 from = new Vector2();
            Vector2 to = new Vector2();
            edge.getVertex1(from);
            edge.getVertex2(to);
            mesh.addPrism(HALF_THICKNESS_METRES, from.x, from.y, to.x, to.y);
        } else if (shape instanceof ChainShape chain) { // a closed chain repeats its first point at the end
            Vector2 from = new Vector2();
            Vector2 to = new Vector2();
            for (int i = 1; i < chain.getVertexCount(); i++) {
                chain.getVertex(i - 1, from);
                chain.getVertex(i, to);
                mesh.addPrism(HALF_THICKNESS_METRES, from.x, from.y, to.x, to.y);
            }
        }
    }
}
