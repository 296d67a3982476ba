package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.ChainShape;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.Contact;
import com.badlogic.gdx.physics.box2d.ContactImpulse;
import com.badlogic.gdx.physics.box2d.ContactListener;
import com.badlogic.gdx.physics.box2d.EdgeShape;
import com.badlogic.gdx.physics.box2d.FixtureDef;
import com.badlogic.gdx.physics.box2d.Manifold;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Box2D's answers in a world with the bodies and shapes of the game. The test of an overlap is the query's, because that of solid bodies is
 * coarser: their polygons touch 8 mm too early at right corners. Listeners report it here, of a new probe in each query.
 */
final class Box2dQueriedGame extends Box2dGame implements QueriedGame<World, Body> {

    /** Collects what the probe touches. */
    private static final class Touching implements ContactListener {

        final Set<Object> bodies = new HashSet<>();

        @Override
        public void beginContact(Contact contact) {
            bodies.add(contact.getFixtureA().getBody());
            bodies.add(contact.getFixtureB().getBody());
        }

        @Override
        public void endContact(Contact contact) {}

        @Override
        public void preSolve(Contact contact, Manifold manifold) {}

        @Override
        public void postSolve(Contact contact, ContactImpulse impulse) {}
    }

    @Nullable
    private Body probe;

    private double nearest;

    @Nullable
    private Object hit;

    Box2dQueriedGame() {
        world().setContinuousPhysics(false); // it takes seconds a step for hundreds of bodies that overlap static ones
    }

    @Override
    public boolean isFlat() {
        return true;
    }

    private static Shape[] shapes(Kind kind) {
        return switch (kind) {
            case BOX -> new Shape[] {box(0.5f, 0.5f, 0, 0)};
            case BALL -> new Shape[] {circle(0.4f, 0, 0)};
            case HULL -> {
                PolygonShape hull = new PolygonShape();
                hull.set(new float[] {-0.5f, -0.5f, 1, 0, 0.6f, 0.9f, 0, 1, -0.7f, 0.2f});
                yield new Shape[] {hull};
            }
            case COMPOUND -> new Shape[] {box(0.6f, 0.2f, 1, 0), circle(0.5f, 0, 0.3f), box(1e-3f, 1e-3f, 3, 4)};
            case MESH -> {
                ChainShape chain = new ChainShape();
                chain.createLoop(new float[] {-2, 0, 0, -0.5f, 2, 0, 0, 3});
                EdgeShape edge = new EdgeShape();
                edge.set(2, 0, 3, 1);
                edge.setHasVertex0(true);
                edge.setVertex0(0, -0.5f);
                yield new Shape[] {chain, edge};
            }
        };
    }

    private static PolygonShape box(float halfX, float halfY, float x, float y) {
        PolygonShape box = new PolygonShape();
        box.setAsBox(halfX, halfY, new Vector2(x, y), 0.3f);
        return box;
    }

    private static CircleShape circle(float radius, float x, float y) {
        CircleShape circle = new CircleShape();
        circle.setRadius(radius);
        circle.setPosition(new Vector2(x, y));
        return circle;
    }

    private static float angle(double[] pose) {
        return (float) (2 * Math.atan2(pose[5], pose[6]));
    }

    @Override
    public Body addForm(Kind kind, double[] pose) {
        BodyType type = kind == Kind.MESH ? BodyType.StaticBody : BodyType.DynamicBody;
        Body body = add(pose[0], pose[1], type, shapes(kind));
        body.setTransform((float) pose[0], (float) pose[1], angle(pose));
        return body;
    }

    @Override
    public boolean reform(Body body, Kind kind) {
        while (body.getFixtureList().notEmpty()) {
            removeShape(body);
        }
        for (Shape shape : shapes(kind)) {
            body.createFixture(shape, 1);
            shape.dispose();
        }
        return true;
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        nearest = Double.POSITIVE_INFINITY;
        hit = null;
        Vector2 start = new Vector2((float) from[0], (float) from[1]);
        Vector2 end = new Vector2((float) (from[0] + way[0]), (float) (from[1] + way[1]));
        world().rayCast(
                        (fixture, point, normal, fraction) -> {
                            if (fraction < nearest) {
                                nearest = fraction;
                                hit = fixture.getBody();
                            }
                            return 1;
                        },
                        start,
                        end);
        return new Hit(hit, nearest);
    }

    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        BodyDef def = new BodyDef();
        def.type = BodyType.DynamicBody;
        def.position.set((float) pose[0], (float) pose[1]);
        def.angle = angle(pose);
        Body probed = world().createBody(def);
        probe = probed;
        FixtureDef fixture = new FixtureDef();
        fixture.isSensor = true;
        PolygonShape exact = new PolygonShape();
        exact.setAsBox(((Box) form).halfX(), ((Box) form).halfY());
        exact.setRadius(0);
        fixture.shape = exact;
        probed.createFixture(fixture);
        exact.dispose();
        Touching touching = new Touching();
        world().setContactListener(touching);
        world().setContactFilter((one, other) -> one.getBody() == probe || other.getBody() == probe);
        world().step(0, 0, 0);
        world().setContactListener(null);
        world().destroyBody(probed);
        touching.bodies.remove(probed);
        return touching.bodies;
    }

    @Override
    public @Nullable Hit sweep(Form form, double[] pose, double[] way) {
        return null;
    }
}
