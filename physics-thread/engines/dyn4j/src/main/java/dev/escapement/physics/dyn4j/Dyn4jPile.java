package dev.escapement.physics.dyn4j;

import dev.escapement.physics.scene.BoxPile;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.world.World;

/** dyn4j's objects for one pile of boxes on a floor, in two dimensions. */
final class Dyn4jPile {

    private static final double GRAVITY_METRES_PER_SECOND_SQUARED = -9.81;
    private static final double EDGE_METRES = 2 * BoxPile.HALF_EXTENT;
    private static final double FLOOR_THICKNESS_METRES = 1;
    private static final double FRICTION = 0.5;

    /** Of the solver, for velocities and for positions. With as few as dyn4j's own default, stacks of ten boxes creep. */
    private static final int ITERATIONS = 10;

    final World<Body> world = new World<>();
    final Body[] bodies;

    Dyn4jPile(BoxPile pile) {
        world.setGravity(0, GRAVITY_METRES_PER_SECOND_SQUARED);
        world.getSettings().setVelocityConstraintSolverIterations(ITERATIONS);
        world.getSettings().setPositionConstraintSolverIterations(ITERATIONS);
        double floorLength = 2 * pile.floorHalfExtentInPlane();
        add(Geometry.createRectangle(floorLength, FLOOR_THICKNESS_METRES), 0, MassType.INFINITE)
                .translate(0, -FLOOR_THICKNESS_METRES / 2);
        bodies = new Body[pile.boxes()];
        double kilogramsPerSquareMetre = BoxPile.MASS_KILOGRAMS / (EDGE_METRES * EDGE_METRES);
        pile.forEachInPlane((box, x, y, z) -> {
            Body body = add(Geometry.createSquare(EDGE_METRES), kilogramsPerSquareMetre, MassType.NORMAL);
            body.translate(x, y);
            bodies[box] = body;
        });
    }

    private Body add(Convex shape, double kilogramsPerSquareMetre, MassType type) {
        Body body = new Body();
        body.addFixture(shape, kilogramsPerSquareMetre, FRICTION, 0);
        body.setMass(type);
        world.addBody(body);
        return body;
    }
}
