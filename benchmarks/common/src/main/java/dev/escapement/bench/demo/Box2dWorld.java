package dev.escapement.bench.demo;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.CircleShape;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.FixtureDef;
import com.badlogic.gdx.physics.box2d.PolygonShape;
import com.badlogic.gdx.physics.box2d.Shape;
import com.badlogic.gdx.physics.box2d.World;
import com.badlogic.gdx.physics.box2d.joints.RevoluteJointDef;
import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.box2d.Box2dNatives;
import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.state.world.BodyShape;
import java.util.List;
import org.joml.Vector3d;
import org.joml.Vector3dc;

/**
 * A pile or a machine in Box2D, in two dimensions and in single precision. The physics thread steps it alone. The same input gives the same
 * bits in every run of the same native library. A state cannot be saved: the next step starts from impulses of the previous one, which the
 * Java binding cannot set.
 */
final class Box2dWorld extends EngineWorld<Body> {

    private final World world;
    private final Box2dWorldSimulation simulation;

    Box2dWorld(Scene scene) {
        Box2dNatives.load();
        world = new World(new Vector2(0, (float) scene.gravity()), true);
        simulation = new Box2dWorldSimulation(world, (stepped, dtSeconds) -> stepped.step(dtSeconds, 8, 3));
    }

    @Override
    Box2dWorldSimulation simulation() {
        return simulation;
    }

    @Override
    Body add(Solid solid) {
        BodyDef at = new BodyDef();
        at.type = solid.isDynamic()
                ? BodyType.DynamicBody
                : solid.motion() == Motion.KINEMATIC ? BodyType.KinematicBody : BodyType.StaticBody;
        at.position.set((float) solid.x(), (float) solid.y());
        at.angle = (float) solid.turn();
        Body body = world.createBody(at);
        for (Shape shape : shapes(solid.form())) {
            FixtureDef fixture = new FixtureDef();
            fixture.shape = shape;
            fixture.density = 1;
            fixture.friction = (float) solid.friction();
            fixture.filter.categoryBits = (short) solid.group();
            fixture.filter.maskBits = (short) solid.meets();
            body.createFixture(fixture);
            shape.dispose();
        }
        if (solid.isDynamic()) {
            float density = solid.kilograms() / body.getMass();
            for (Fixture fixture : body.getFixtureList()) {
                fixture.setDensity(density);
            }
            body.resetMassData();
        }
        return body;
    }

    /** Returns the shapes that together form a body. Box2D has no capsules, so a capsule becomes a box with a ball at each end. */
    private static List<Shape> shapes(BodyShape.Form form) {
        if (form instanceof BodyShape.Sphere sphere) {
            return List.of(circle(sphere.radius(), 0));
        }
        if (form instanceof BodyShape.Capsule capsule) {
            return List.of(
                    box(capsule.radius(), capsule.halfHeight()),
                    circle(capsule.radius(), capsule.halfHeight()),
                    circle(capsule.radius(), -capsule.halfHeight()));
        }
        BodyShape.Box box = (BodyShape.Box) form;
        return List.of(box(box.halfX(), box.halfY()));
    }

    private static Shape box(float halfX, float halfY) {
        PolygonShape box = new PolygonShape();
        box.setAsBox(halfX, halfY);
        return box;
    }

    private static Shape circle(float radius, float y) {
        CircleShape circle = new CircleShape();
        circle.setRadius(radius);
        circle.setPosition(new Vector2(0, y));
        return circle;
    }

    @Override
    void hang(Body body, Vector3dc from) {
        Vector2 hinge = new Vector2((float) from.x(), (float) from.y());
        BodyDef hook = new BodyDef();
        hook.position.set(hinge);
        RevoluteJointDef joint = new RevoluteJointDef();
        joint.initialize(world.createBody(hook), body, hinge);
        body.setSleepingAllowed(false);
        world.createJoint(joint);
    }

    @Override
    Vector3dc position(Body body, Vector3d to) {
        Vector2 at = body.getPosition();
        return to.set(at.x, at.y, 0);
    }

    @Override
    void push(Body body, float kilograms, double dvx, double dvy, double dvz) {
        body.setAwake(true);
        body.setLinearVelocity(body.getLinearVelocity().add((float) dvx, (float) dvy));
    }

    @Override
    void move(Body part, double x, double y, double z, double turn, double dtSeconds) {
        Vector2 from = part.getPosition();
        part.setLinearVelocity((float) ((x - from.x) / dtSeconds), (float) ((y - from.y) / dtSeconds));
        double left = StrictMath.IEEEremainder(turn - part.getAngle(), 2 * Math.PI);
        part.setAngularVelocity((float) (left / dtSeconds));
    }

    @Override
    void moveBody(Body body, double x, double y, double z) {
        body.setTransform((float) x, (float) y, body.getAngle());
        body.setAwake(true);
        body.setLinearVelocity(0, 0);
        body.setAngularVelocity(0);
    }

    @Override
    void free() {
        world.dispose();
    }
}
