package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.Filter;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.FixtureDef;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import com.badlogic.gdx.physics.box2d.joints.RevoluteJointDef;
import dev.escapement.physics.world.GameWorld;
import org.jspecify.annotations.Nullable;

class Box2dGame implements GameWorld<World, Body> {

    private final World world;
    private final Body floor;

    Box2dGame() {
        Box2dNatives.load();
        world = new World(new Vector2(0, -9.81f), true);
        floor = addFixed(0, -0.5, 0, 0, 30, 0.5);
    }

    Body add(double x, double y, BodyType type, Shape... forms) {
        BodyDef at = new BodyDef();
        at.type = type;
        at.position.set((float) x, (float) y);
        Body body = world.createBody(at);
        for (Shape form : forms) {
            FixtureDef fixture = new FixtureDef();
            fixture.shape = form;
            fixture.density = 1;
            fixture.friction = 0.6f;
            body.createFixture(fixture);
            form.dispose();
        }
        return body;
    }

    static void stepBy(World stepped, float dtSeconds) {
        stepped.step(dtSeconds, 8, 3);
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public Body addPlatform(double x, double y) {
        return add(x, y, BodyType.KinematicBody, boxes(0, 0, 4, 0.25));
    }

    @Override
    public void remove(Body body) {
        world.destroyBody(body);
    }

    @Override
    public void setVelocity(Body body, double vx, double vy) {
        body.setAwake(true);
        body.setLinearVelocity((float) vx, (float) vy);
    }

    @Override
    public boolean spin(Body body, double wx, double wy, double wz) {
        body.setAngularVelocity((float) wz);
        return false;
    }

    @Override
    public void turn(Body body, double angle) {
        body.setTransform(body.getPosition(), (float) angle);
    }

    @Override
    public void place(Body body, double x, double y) {
        body.setTransform((float) x, (float) y, body.getAngle());
    }

    @Override
    public boolean join(Body body, @Nullable Body other, double x, double y) {
        RevoluteJointDef hinge = new RevoluteJointDef();
        hinge.initialize(body, other == null ? floor : other, new Vector2((float) x, (float) y));
        world.createJoint(hinge);
        return true;
    }

    @Override
    public Body addFixed(double x, double y, double... boxes) {
        return add(x, y, BodyType.StaticBody, boxes(boxes));
    }

    @Override
    public Body addShaped(double x, double y, double... boxes) {
        return add(x, y, BodyType.DynamicBody, boxes(boxes));
    }

    private static Shape[] boxes(double... boxes) {
        Shape[] forms = new Shape[boxes.length / 4];
        for (int i = 0; i < forms.length; i++) {
            PolygonShape box = new PolygonShape();
            box.setAsBox(
                    (float) boxes[4 * i + 2],
                    (float) boxes[4 * i + 3],
                    new Vector2((float) boxes[4 * i], (float) boxes[4 * i + 1]),
                    0);
            forms[i] = box;
        }
        return forms;
    }

    @Override
    public boolean setSensor(Body body, boolean isSensor) {
        body.getFixtureList().forEach(fixture -> fixture.setSensor(isSensor));
        return true;
    }

    @Override
    public boolean touchNothing(Body body) {
        for (Fixture fixture : body.getFixtureList()) {
            Filter filter = fixture.getFilterData();
            filter.maskBits = 0;
            fixture.setFilterData(filter);
        }
        return true;
    }

    @Override
    public boolean removeShape(Body body) {
        body.destroyFixture(body.getFixtureList().peek());
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        stepBy(world, (float) dtSeconds);
    }

    /** Returns the engine's pose, computed with trigonometry, which the simulation avoids. */
    @Override
    public double[] pose(Body body) {
        double half = body.getAngle() / 2;
        Vector2 at = body.getPosition();
        return new double[] {at.x, at.y, 0, 0, 0, Math.sin(half), Math.cos(half)};
    }

    @Override
    public boolean isAsleep(Body body) {
        return !body.isAwake();
    }

    @Override
    public void close() {
        world.dispose();
    }
}
