package dev.escapement.bench.demo;

import org.joml.Vector3d;

/**
 * The classic fourth-order Runge-Kutta method for one mass on a spring, in three dimensions.
 *
 * <p>Used by one thread; allocates nothing after construction.
 */
final class Rk4 {

    private final Vector3d x = new Vector3d();
    private final Vector3d v = new Vector3d();
    private final Vector3d a = new Vector3d();
    private final Vector3d sumV = new Vector3d();
    private final Vector3d sumA = new Vector3d();

    /** Advances a position and a velocity in place. */
    void step(Spring spring, Vector3d position, Vector3d velocity, double dtSeconds) {
        sumV.zero();
        sumA.zero();
        x.set(position);
        v.set(velocity);
        add(spring, 1);
        moveBy(position, velocity, dtSeconds / 2);
        add(spring, 2);
        moveBy(position, velocity, dtSeconds / 2);
        add(spring, 2);
        moveBy(position, velocity, dtSeconds);
        add(spring, 1);
        position.fma(dtSeconds / 6, sumV);
        velocity.fma(dtSeconds / 6, sumA);
    }

    /** Adds the derivative in the current intermediate state, with its weight. */
    private void add(Spring spring, double weight) {
        a.set(spring.acceleration(x.x, v.x), spring.acceleration(x.y, v.y), spring.acceleration(x.z, v.z));
        sumV.fma(weight, v);
        sumA.fma(weight, a);
    }

    /** The next intermediate state: from the start, along the last derivative. */
    private void moveBy(Vector3d position, Vector3d velocity, double seconds) {
        position.fma(seconds, v, x);
        velocity.fma(seconds, a, v);
    }
}
