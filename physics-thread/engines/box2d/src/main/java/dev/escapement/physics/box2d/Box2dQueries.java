package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.ChainShape;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.Contact;
import com.badlogic.gdx.physics.box2d.EdgeShape;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.FixtureDef;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.RayCastCallback;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import com.badlogic.gdx.utils.Array;
import dev.escapement.physics.box2d.Box2dQueryBodies.Described;
import dev.escapement.physics.box2d.Box2dQueryBodies.Outline;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Box2D's queries, in a second world of static bodies. A ray does not hit a shape in which it begins.
 *
 * <p>The binding cannot test two shapes. An overlap is a contact: a probe gets sensors of the form, and Box2D finds what they touch in a
 * step of length 0, which moves nothing. Box2D does not say where a sensor touches, so the hit has the position of the form and no normal.
 * A body's polygons are 1 cm thicker in contacts than for rays, as in the stepped world; the form is exact.
 *
 * <p>One thread at a time. Allocates nothing in queries, once the binding has an object for each contact.
 */
final class Box2dQueries implements QueryEngine<Described, Body> {

    /** The body and the shape of a fixture. */
    private static final class Part {

        final int slot;
        final int shape;
        final long groups;

        /** The last overlap that has found it: a chain, or a capsule, touches in several contacts. */
        int found;

        Part(int slot, int shape, long groups) {
            this.slot = slot;
            this.shape = shape;
            this.groups = groups;
        }
    }

    /** The rounding error of a corner's coordinates, as a fraction of the corner's distance from the body. */
    private static final double ROUNDING = 1e-6;

    private final World world = new World(new Vector2(), false);
    private final Body probe;
    private final Map<Form, List<Shape>> shapes = new HashMap<>();
    private final List<Shape> dot = List.of(circle(0, 0, 0));
    private int overlaps;

    // Scratch objects, because new ones for each call would be garbage.
    private final BodyDef copyDef = new BodyDef();
    private final FixtureDef copyFixture = new FixtureDef();
    private final FixtureDef probeFixture = new FixtureDef();
    private QueryHits hits = new QueryHits();
    private final RayCastCallback rayHits = this::report;

    Box2dQueries() {
        world.setContactFilter(null); // else the binding would ask Java about each pair
        world.setAutoClearForces(false); // else a step would visit all bodies
        BodyDef def = new BodyDef();
        def.type = BodyType.DynamicBody; // static bodies have no contacts with each other
        def.allowSleep = false;
        probe = world.createBody(def);
        probeFixture.isSensor = true;
        moved(); // on the physics thread: the first contacts of a JVM initialize static tables of Box2D
    }

    @Override
    public Body add(Described body, int slot) {
        copyDef.position.set((float) body.x(), (float) body.y());
        copyDef.angle = body.angle();
        copyDef.active = body.isActive();
        Body copy = world.createBody(copyDef);
        for (int i = 0; i < body.outlines().size(); i++) {
            Outline outline = body.outlines().get(i);
            Shape shape = shape(outline);
            copyFixture.shape = shape;
            copy.createFixture(copyFixture).setUserData(new Part(slot, i, outline.groups));
            shape.dispose();
        }
        return copy;
    }

    private static Shape shape(Outline outline) {
        float[] at = outline.vertices;
        Shape shape = switch (outline.type) {
            case Circle -> circle(at[0], at[1], outline.radius);
            case Edge -> {
                EdgeShape edge = new EdgeShape();
                edge.set(at[0], at[1], at[2], at[3]);
                yield edge;
            }
            case Polygon -> polygon(at);
            case Chain -> { // a loop repeats its first vertex
                ChainShape chain = new ChainShape();
                chain.createChain(at);
                yield chain;
            }
        };
        shape.setRadius(outline.radius);
        return shape;
    }

    /**
     * Returns a polygon. Makes a rectangle as a box, because a game can make boxes that are so small that Box2D would end the JVM if it got
     * their corners as those of a polygon.
     */
    private static PolygonShape polygon(float[] at) {
        PolygonShape polygon = new PolygonShape();
        if (at.length == 8) {
            double alongX = (double) at[2] - at[0];
            double alongY = (double) at[3] - at[1];
            double acrossX = (double) at[4] - at[2];
            double acrossY = (double) at[5] - at[3];
            double along = Math.hypot(alongX, alongY);
            double across = Math.hypot(acrossX, acrossY);
            double rounding = ROUNDING * (Math.hypot(at[0], at[1]) + Math.hypot(at[4], at[5]));
            boolean isParallel = Math.hypot(alongX + at[6] - at[4], alongY + at[7] - at[5]) <= rounding;
            if (isParallel && Math.abs(alongX * acrossX + alongY * acrossY) <= rounding * (along + across)) {
                Vector2 centre = new Vector2((at[0] + at[4]) / 2, (at[1] + at[5]) / 2);
                polygon.setAsBox((float) along / 2, (float) across / 2, centre, (float) Math.atan2(alongY, alongX));
                return polygon;
            }
        }
        polygon.set(at);
        return polygon;
    }

    private static CircleShape circle(float x, float y, float radius) {
        CircleShape circle = new CircleShape();
        circle.setRadius(radius);
        circle.setPosition(new Vector2(x, y));
        return circle;
    }

    @Override
    public void remove(Body copy) {
        world.destroyBody(copy);
    }

    @Override
    public void move(Body copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        copy.setTransform((float) x, (float) y, angle(qz, qw));
    }

    private static float angle(float qz, float qw) {
        return (float) (2 * Math.atan2(qz, qw));
    }

    /** Lets Box2D look for the pairs of bodies that have moved, because it would keep a list of them until then. */
    @Override
    public void moved() {
        touch(dot);
        endTouch();
    }

    /** Gives the probe sensors of some shapes, and finds their contacts. A new fixture makes Box2D look for new pairs. */
    private void touch(List<Shape> sensors) {
        for (int i = 0; i < sensors.size(); i++) {
            probeFixture.shape = sensors.get(i);
            probe.createFixture(probeFixture);
        }
        world.step(0, 0, 0);
    }

    private void endTouch() {
        Array<Fixture> sensors = probe.getFixtureList();
        while (!sensors.isEmpty()) {
            probe.destroyFixture(sensors.peek());
        }
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits into) {
        float fromX = (float) x;
        float fromY = (float) y;
        float toX = (float) (x + wayX);
        float toY = (float) (y + wayY);
        float squared = (toX - fromX) * (toX - fromX) + (toY - fromY) * (toY - fromY);
        if (!(squared > 0 && squared < Float.POSITIVE_INFINITY)) { // Box2D would end the JVM
            throw new IllegalArgumentException(
                    "in Box2D a ray needs a way along x or y whose ends differ as floats, but goes" + " from (" + fromX
                            + ", " + fromY + ") to (" + toX + ", " + toY + "); pass a longer way in the plane");
        }
        hits = into;
        world.rayCast(rayHits, fromX, fromY, toX, toY);
    }

    /** Returns the fraction of the ray from which on Box2D need not look. */
    private float report(Fixture fixture, Vector2 point, Vector2 normal, float fraction) {
        Part part = (Part) fixture.getUserData();
        if (hits.wants(part.slot, part.groups, part.shape, fraction)) {
            hits.add(point.x, point.y, 0, normal.x, normal.y, 0);
        }
        return hits.limit();
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits into) {
        List<Shape> sensors = shapes.computeIfAbsent(form, Box2dQueries::shapes);
        overlaps++;
        probe.setTransform((float) x, (float) y, angle(qz, qw));
        try {
            touch(sensors);
            Array<Contact> contacts = world.getContactList();
            for (int i = 0; i < contacts.size; i++) {
                Contact contact = contacts.get(i);
                if (contact.isTouching()) {
                    Object first = contact.getFixtureA().getUserData(); // null if this is the probe
                    Part part = (Part) (first == null ? contact.getFixtureB().getUserData() : first);
                    if (part.found != overlaps) {
                        part.found = overlaps;
                        if (into.wants(part.slot, part.groups, part.shape, 0)) {
                            into.add(x, y, 0, 0, 0, 0);
                        }
                    }
                }
            }
        } finally {
            endTouch(); // also if the game's predicate throws
        }
    }

    private static List<Shape> shapes(Form form) {
        if (form instanceof BodyShape.Box box) {
            return List.of(box(box.halfX(), box.halfY()));
        }
        if (form instanceof BodyShape.Sphere ball) {
            return List.of(circle(0, 0, ball.radius()));
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        float radius = capsule.radius();
        float half = capsule.halfHeight();
        return List.of(box(radius, half), circle(0, half, radius), circle(0, -half, radius));
    }

    private static PolygonShape box(float halfX, float halfY) {
        PolygonShape box = new PolygonShape();
        box.setAsBox(halfX, halfY);
        box.setRadius(0); // else 1 cm
        return box;
    }

    @Override
    public void sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryHits into) {
        throw new UnsupportedOperationException(
                "Box2D's binding has no sweeps; cast rays from the corners of the form, or ask for overlaps along the way");
    }

    @Override
    public void close() {
        shapes.values().forEach(kept -> kept.forEach(Shape::dispose));
        dot.forEach(Shape::dispose);
        world.dispose();
    }
}
