package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The solids and the gravity of a world, from which each engine builds its own.
 *
 * @param gravity upwards (so it is negative), metres per second squared
 * @param solids  the floor first. Dynamic solids are numbered in this order, and so are parts of the machine
 * @param machine the machine, whose pendulum is the last dynamic solid; null if there is none. Use one instance in one world only
 */
public record Scene(
        double gravity, List<Solid> solids, @Nullable Machine machine) {

    public static Scene onFloor(double gravity, double friction, List<Solid> bodies) {
        List<Solid> solids = new ArrayList<>(List.of(floor(friction)));
        solids.addAll(bodies);
        return new Scene(gravity, solids, null);
    }

    /** Creates a floor at y = 0, so wide that nothing falls off it. */
    static Solid floor(double friction) {
        return Solid.fixed(new BodyShape.Box(200, 5, 200), friction, 0, -5, 0);
    }
}
