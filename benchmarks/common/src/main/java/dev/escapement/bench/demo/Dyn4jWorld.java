package dev.escapement.bench.demo;

import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.state.world.BodyShape;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.BodyFixture;
import org.dyn4j.dynamics.joint.RevoluteJoint;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;
import org.joml.Vector3d;
import org.joml.Vector3dc;

/**
 * A pile or a machine in dyn4j, in two dimensions and in double precision. The physics thread steps it alone. The same input gives the same
 * bits in every run on the same JVM and kind of processor.
 *
 * <p>Its state cannot be saved and restored exactly. dyn4j starts each step from the impulses of the previous one, and its tree of bounding
 * boxes depends on the history of the bodies; other code can set neither.
 */
final class Dyn4jWorld extends EngineWorld<Body> {

    /** Iterations of the solver, for velocities and for positions. With dyn4j's default, a stack of ten boxes creeps instead of resting. */
    private static final int ITERATIONS = 10;

    private final World<Body> world = new World<>();
    private final Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);

    Dyn4jWorld(Scene scene) {
        world.setGravity(0, scene.gravity());
        world.getSettings().setVelocityConstraintSolverIterations(ITERATIONS);
        world.getSettings().setPositionConstraintSolverIterations(ITERATIONS);
    }

    @Override
    Dyn4jWorldSimulation<Body> simulation() {
        return simulation;
    }

    @Override
    void hang(Body body, Vector3dc from) {
        Vector2 hinge = new Vector2(from.x(), from.y());
        Body hook = new Body();
        hook.setMass(MassType.INFINITE);
        hook.translate(hinge);
        world.addBody(hook);
        body.setAtRestDetectionEnabled(false);
        world.addJoint(new RevoluteJoint<>(hook, body, hinge));
    }

    private static Convex convex(BodyShape.Form form) {
        if (form instanceof BodyShape.Sphere sphere) {
            return Geometry.createCircle(sphere.radius());
        }
        if (form instanceof BodyShape.Capsule capsule) {
            double width = 2 * capsule.radius();
            return Geometry.createCapsule(width, 2 * capsule.halfHeight() + width);
        }
        BodyShape.Box box = (BodyShape.Box) form;
        return Geometry.createRectangle(2 * box.halfX(), 2 * box.halfY());
    }

    /** Makes a body. A body that no force moves gets no mass; only its velocity moves it. */
    @Override
    Body add(Solid solid) {
        Body body = new Body();
        Convex shape = convex(solid.form());
        double density =
                solid.isDynamic() ? solid.kilograms() / shape.createMass(1).getMass() : 1;
        BodyFixture fixture = body.addFixture(shape, density, solid.friction(), 0);
        fixture.setFilter(new CategoryFilter(solid.group(), solid.meets()));
        body.setMass(solid.isDynamic() ? MassType.NORMAL : MassType.INFINITE);
        body.rotate(solid.turn());
        body.translate(solid.x(), solid.y());
        world.addBody(body);
        return body;
    }

    @Override
    Vector3dc position(Body body, Vector3d to) {
        Transform at = body.getTransform();
        return to.set(at.getTranslationX(), at.getTranslationY(), 0);
    }

    @Override
    void push(Body body, float kilograms, double dvx, double dvy, double dvz) {
        body.setAtRest(false); // a sleeping body would keep its new velocity and not move
        body.getLinearVelocity().add(dvx, dvy);
    }

    @Override
    void move(Body part, double x, double y, double z, double turn, double dtSeconds) {
        Transform from = part.getTransform();
        part.getLinearVelocity()
                .set((x - from.getTranslationX()) / dtSeconds, (y - from.getTranslationY()) / dtSeconds);
        double left = StrictMath.IEEEremainder(turn - from.getRotationAngle(), 2 * Math.PI);
        part.setAngularVelocity(left / dtSeconds);
        part.setAtRest(false);
    }

    @Override
    void moveBody(Body body, double x, double y, double z) {
        body.setAtRest(false);
        body.getTransform().setTranslation(x, y);
        body.getLinearVelocity().zero();
        body.setAngularVelocity(0);
    }
}
