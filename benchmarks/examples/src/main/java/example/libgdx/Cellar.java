package example.libgdx;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import java.util.ArrayList;
import java.util.List;

/** The game's own physics: a floor, barrels, and a lift. It knows nothing of threads. */
final class Cellar {

    static final float BARREL_RADIUS = 0.5f;

    private static final float LIFT_METRES_PER_SECOND = 1;
    private static final double LIFT_SECONDS_ONE_WAY = 2;

    final World world = new World(new Vector2(0, -9.81f), true);
    final Body lift = add(BodyType.KinematicBody, 0, 0.5f, box(1.5f, 0.1f));
    final List<Body> barrels = new ArrayList<>();

    Cellar() {
        add(BodyType.StaticBody, 0, -0.5f, box(20, 0.5f));
        addBarrel(0, 0.6f + BARREL_RADIUS);
        for (int layer = 0; layer < 10; layer++) {
            addBarrel(6 + 0.1f * layer, BARREL_RADIUS + 1.1f * layer);
        }
    }

    private Body add(BodyType type, float x, float y, Shape shape) {
        BodyDef at = new BodyDef();
        at.type = type;
        at.position.set(x, y);
        Body body = world.createBody(at);
        Fixture fixture = body.createFixture(shape, 10);
        fixture.setFriction(0.5f);
        fixture.setRestitution(0.1f);
        shape.dispose();
        return body;
    }

    private static Shape box(float halfWidth, float halfHeight) {
        PolygonShape box = new PolygonShape();
        box.setAsBox(halfWidth, halfHeight);
        return box;
    }

    Body addBarrel(float x, float y) {
        CircleShape circle = new CircleShape();
        circle.setRadius(BARREL_RADIUS);
        Body barrel = add(BodyType.DynamicBody, x, y, circle);
        barrels.add(barrel);
        return barrel;
    }

    void step(float dtSeconds) {
        world.step(dtSeconds, 8, 3);
    }

    /** Moves the lift up and down, by a velocity that carries the bodies on it. */
    void driveLift(double seconds) {
        boolean up = (long) (seconds / LIFT_SECONDS_ONE_WAY) % 2 == 0;
        lift.setLinearVelocity(0, up ? LIFT_METRES_PER_SECOND : -LIFT_METRES_PER_SECOND);
    }
}
