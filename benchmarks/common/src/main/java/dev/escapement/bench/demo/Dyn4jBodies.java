package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
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
import org.joml.Vector3dc;

/**
 * A pile or a machine in dyn4j, in two dimensions and in double precision, on the physics thread alone. The same input gives the same bits
 * in every run on the same JVM and kind of processor.
 *
 * <p>It cannot be saved and restored exactly: dyn4j starts each step from the impulses of the previous one, and its tree of bounding boxes
 * depends on the history of the bodies; neither can be set from outside.
 */
public final class Dyn4jBodies extends EngineBodies<Body> {

    /** Builds the world. */
    public Dyn4jBodies(Scene scene) {
        this(scene, new Plane(scene));
    }

    private Dyn4jBodies(Scene scene, Plane plane) {
        super(new Dyn4jWorldSimulation<>(plane.world), scene, plane.made, () -> {});
    }

    /** There is no depth. */
    @Override
    public Vector3dc position(int body) {
        Transform at = body(body).getTransform();
        return place.set(at.getTranslationX(), at.getTranslationY(), 0);
    }

    /** Along x and y; there is no z. */
    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        body(body).setAtRest(false); // a sleeping body would keep its new velocity and not move
        body(body).getLinearVelocity().add(dvx, dvy);
    }

    @Override
    void move(int part, double x, double y, double z, double turn, double dtSeconds) {
        Body moved = part(part);
        Transform from = moved.getTransform();
        moved.getLinearVelocity()
                .set((x - from.getTranslationX()) / dtSeconds, (y - from.getTranslationY()) / dtSeconds);
        double left = StrictMath.IEEEremainder(turn - from.getRotationAngle(), 2 * Math.PI);
        moved.setAngularVelocity(left / dtSeconds);
        moved.setAtRest(false);
    }

    @Override
    void moveBody(int body, double x, double y, double z) {
        Body moved = body(body);
        moved.setAtRest(false);
        moved.getTransform().setTranslation(x, y);
        moved.getLinearVelocity().zero();
        moved.setAngularVelocity(0);
    }

    /** dyn4j's objects for a scene. */
    private static final class Plane {

        /** Iterations of the solver, for velocities and for positions. With dyn4j's default, stacks of ten boxes creep. */
        private static final int ITERATIONS = 10;

        /** Bits of the collision filter: what moves, and what only that collides with. */
        private static final long MOVING = 1;

        private static final long MET = 2;

        final World<Body> world = new World<>();
        final Made<Body> made = new Made<>();

        Plane(Scene scene) {
            world.setGravity(0, scene.gravity());
            world.getSettings().setVelocityConstraintSolverIterations(ITERATIONS);
            world.getSettings().setPositionConstraintSolverIterations(ITERATIONS);
            scene.solids().forEach(solid -> made.add(solid, add(solid)));
            Machine machine = scene.machine();
            if (machine != null) {
                hang(made.last(), machine.shape().hinge());
            }
        }

        /** Hangs a body from a hinge. */
        private void hang(Body body, Vector3dc from) {
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

        /** One that forces do not move has no mass, and is moved by nothing but its velocity. */
        private Body add(Solid solid) {
            boolean isDynamic = solid.motion() == Motion.DYNAMIC;
            Body body = new Body();
            Convex shape = convex(solid.form());
            double density = isDynamic ? solid.kilograms() / shape.createMass(1).getMass() : 1;
            BodyFixture fixture = body.addFixture(shape, density, solid.friction(), 0);
            long category = !solid.touches() ? 0 : isDynamic ? MOVING : MET;
            fixture.setFilter(new CategoryFilter(category, category == 0 ? 0 : isDynamic ? MOVING | MET : MOVING));
            body.setMass(isDynamic ? MassType.NORMAL : MassType.INFINITE);
            body.rotate(solid.turn());
            body.translate(solid.x(), solid.y());
            world.addBody(body);
            return body;
        }
    }
}
