package example.libgdx;

import java.util.ArrayList;
import java.util.List;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;

/** The game's own physics: a floor, barrels, and a lift. It knows nothing of threads. */
final class Cellar {

    static final double BARREL_RADIUS = 0.5;

    private static final double LIFT_METRES_PER_SECOND = 1;
    private static final double LIFT_SECONDS_ONE_WAY = 2;

    final World<Body> world = new World<>();
    final Body lift = new Body();
    final List<Body> barrels = new ArrayList<>();

    Cellar() {
        Body floor = new Body();
        floor.addFixture(Geometry.createRectangle(40, 1));
        floor.setMass(MassType.INFINITE);
        floor.translate(0, -0.5);
        world.addBody(floor);
        lift.addFixture(Geometry.createRectangle(3, 0.2));
        lift.setMass(MassType.INFINITE);
        lift.translate(0, 0.5);
        world.addBody(lift);
        addBarrel(0, 0.6 + BARREL_RADIUS);
        for (int layer = 0; layer < 10; layer++) {
            addBarrel(6 + 0.1 * layer, BARREL_RADIUS + 1.1 * layer);
        }
    }

    Body addBarrel(double x, double y) {
        Body barrel = new Body();
        barrel.addFixture(Geometry.createCircle(BARREL_RADIUS), 10, 0.5, 0.1);
        barrel.setMass(MassType.NORMAL);
        barrel.translate(x, y);
        world.addBody(barrel);
        barrels.add(barrel);
        return barrel;
    }

    /** Moves the lift up and down, by a velocity that carries the bodies on it. */
    void driveLift(double seconds) {
        boolean up = (long) (seconds / LIFT_SECONDS_ONE_WAY) % 2 == 0;
        lift.setLinearVelocity(new Vector2(0, up ? LIFT_METRES_PER_SECOND : -LIFT_METRES_PER_SECOND));
    }
}
