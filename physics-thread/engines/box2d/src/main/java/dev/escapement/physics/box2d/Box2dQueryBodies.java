package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import com.badlogic.gdx.utils.Array;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Describes Box2D's bodies to query worlds, in copies of their vertices: another thread must not call the stepped world. */
final class Box2dQueryBodies implements QueryBodies<Body, Box2dQueryBodies.Described> {

    /** A body. Contains nothing that its world may change. */
    record Described(double x, double y, float angle, boolean isActive, List<Outline> outlines) {}

    /** A fixture, whether solid or a sensor. The neighbours of an edge are left out: they only smooth the contacts of moving bodies. */
    static final class Outline {

        final Shape.Type type;

        /** See {@link Box2dForms#vertices}. */
        final float[] vertices;

        final float radius;

        /** The category bits. */
        final long groups;

        Outline(Fixture fixture) {
            Shape shape = fixture.getShape();
            type = shape.getType();
            vertices = Box2dForms.vertices(shape);
            radius = shape.getRadius();
            groups = Short.toUnsignedLong(fixture.getFilterData().categoryBits);
        }
    }

    private final World world;

    Box2dQueryBodies(World world) {
        this.world = world;
    }

    @Override
    public Described describe(Body body) {
        Array<Fixture> fixtures = body.getFixtureList();
        List<Outline> outlines = new ArrayList<>(fixtures.size);
        for (int i = 0; i < fixtures.size; i++) { // the array's iterator cannot be nested in one of the game
            outlines.add(new Outline(fixtures.get(i)));
        }
        Vector2 at = body.getPosition();
        return new Described(at.x, at.y, body.getAngle(), body.isActive(), outlines);
    }

    @Override
    public int describeFixed(Predicate<Body> attached, BiConsumer<Object, Described> fixed) {
        Array<Body> bodies = new Array<>(Body[]::new);
        world.getBodies(bodies);
        int unseen = 0;
        for (int i = 0; i < bodies.size; i++) {
            Body body = bodies.get(i);
            if (!attached.test(body) && !body.getFixtureList().isEmpty()) {
                if (body.getType() == BodyType.StaticBody) {
                    fixed.accept(body, describe(body));
                } else {
                    unseen++;
                }
            }
        }
        return unseen;
    }

    @Override
    public QueryEngine<Described, ?> open() {
        return new Box2dQueries();
    }
}
