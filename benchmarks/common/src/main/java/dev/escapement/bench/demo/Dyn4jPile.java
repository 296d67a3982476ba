package dev.escapement.bench.demo;

import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import java.util.ArrayList;
import java.util.List;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Transform;
import org.dyn4j.world.World;
import org.joml.Vector3dc;

/**
 * A pile of boxes in dyn4j, in two dimensions and in double precision, on the physics thread alone. The same input gives the same bits
 * in every run on the same JVM and kind of processor.
 *
 * <p>It cannot be saved and restored exactly: dyn4j starts each step from the impulses of the previous one, and its tree of bounding boxes
 * depends on the history of the bodies; neither can be set from outside.
 */
public final class Dyn4jPile extends EnginePile<Body> {

    private static final double EDGE_METRES = 2 * BoxPile.HALF_EXTENT;
    private static final double FLOOR_THICKNESS_METRES = 1;

    /** Iterations of the solver, for velocities and for positions. With dyn4j's default, stacks of ten boxes creep. */
    private static final int ITERATIONS = 10;

    /** Builds the world; the boxes start where {@link BoxPile#placesInPlane} says. */
    public Dyn4jPile(BoxPile pile) {
        this(pile, createWorld(pile));
    }

    private Dyn4jPile(BoxPile pile, World<Body> world) {
        super(new Dyn4jWorldSimulation<>(world), addBoxes(pile, world), () -> {});
    }

    /** There is no depth. */
    @Override
    public Vector3dc position(int body) {
        Transform at = box(body).getTransform();
        return place.set(at.getTranslationX(), at.getTranslationY(), 0);
    }

    /** Along x and y; there is no z. */
    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        box(body).setAtRest(false); // a sleeping box would keep its new velocity and not move
        box(body).getLinearVelocity().add(dvx, dvy);
    }

    private static World<Body> createWorld(BoxPile pile) {
        World<Body> world = new World<>();
        world.setGravity(0, BoxPile.GRAVITY_METRES_PER_SECOND_SQUARED);
        world.getSettings().setVelocityConstraintSolverIterations(ITERATIONS);
        world.getSettings().setPositionConstraintSolverIterations(ITERATIONS);
        double floorLength = 2 * pile.floorHalfExtentInPlane();
        add(world, Geometry.createRectangle(floorLength, FLOOR_THICKNESS_METRES), 0, MassType.INFINITE)
                .translate(0, -FLOOR_THICKNESS_METRES / 2);
        return world;
    }

    private static List<Body> addBoxes(BoxPile pile, World<Body> world) {
        List<Body> boxes = new ArrayList<>();
        double kilogramsPerSquareMetre = BoxPile.MASS_KILOGRAMS / (EDGE_METRES * EDGE_METRES);
        for (double[] place : pile.placesInPlane()) {
            Body body = add(world, Geometry.createSquare(EDGE_METRES), kilogramsPerSquareMetre, MassType.NORMAL);
            body.translate(place[0], place[1]);
            boxes.add(body);
        }
        return boxes;
    }

    private static Body add(World<Body> world, Convex shape, double kilogramsPerSquareMetre, MassType type) {
        Body body = new Body();
        body.addFixture(shape, kilogramsPerSquareMetre, BoxPile.FRICTION, 0);
        body.setMass(type);
        world.addBody(body);
        return body;
    }
}
