package dev.escapement.physics.world;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What a game does to its world with the engine's own calls, for {@link ExistingWorldContract}: gravity of 9.81 m/s² downwards along
 * y, a floor whose top is at y = 0, at least 20 m to each side, cubes of one metre. Nothing here knows of the simulation.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public interface GameWorld<W, B> extends AutoCloseable {

    /** Takes pairs of shapes that touch. */
    @FunctionalInterface
    interface ShapePairs<B> {

        /** Takes the bodies of two shapes, in any order; null for none. A sure pair touches; another one may. */
        void add(@Nullable B body, @Nullable B other, boolean isSure);
    }

    /** The world, which stays the same. */
    W world();

    /** Adds a cube with its centre at a place in the plane z = 0, not rotated. */
    B addBox(double x, double y);

    /** Adds a kinematic platform, 8 m wide and half a metre high, with its centre at a place in the plane z = 0. */
    B addPlatform(double x, double y);

    /** Lets a platform move so that the next step, of this many seconds, brings its centre to a place. */
    void movePlatform(B platform, double x, double y, double dtSeconds);

    /** Removes a body. */
    void remove(B body);

    /** Gives a body a velocity, and wakes it. */
    void setVelocity(B body, double vx, double vy);

    /**
     * Lets a body turn at an angular velocity, in radians a second, with nothing that slows it, and raises the limits that the engine has.
     *
     * @return whether the engine turns it as far as that says at any speed; otherwise by less than half a turn a step
     */
    boolean spin(B body, double wx, double wy, double wz);

    /** Puts a body somewhere else, and wakes it only if the engine does so by itself. */
    void place(B body, double x, double y);

    /**
     * Joins two bodies by a hinge at a place, or one to the world.
     *
     * @return false if the engine tells no joints; then there is none
     */
    default boolean join(B body, @Nullable B other, double x, double y) {
        return false;
    }

    /**
     * Adds a body that never moves, of boxes with their centres at places from that of the body: x, y, half the width and half the height
     * of each.
     */
    B addFixed(double x, double y, double... boxes);

    /** Adds a body that moves, of such boxes. */
    B addShaped(double x, double y, double... boxes);

    /**
     * Lets a body touch as a sensor, or as a solid one again; does not wake what it touches. Returns false if the engine has no sensors.
     */
    default boolean setSensor(B body, boolean isSensor) {
        return false;
    }

    /** Lets a body touch nothing, or all again. Returns false if the engine does so only for bodies that are added again. */
    default boolean setTouches(B body, boolean touches) {
        return false;
    }

    /** Removes the last shape of a body. Returns false if the engine cannot. */
    default boolean removeShape(B body) {
        return false;
    }

    /** Finds the pairs of shapes that touch, with the engine's own calls. */
    void findTouching(ShapePairs<B> pairs);

    /** Whether {@link #findTouching} collides shapes where they are, as the next step will; else it reads what the last step found. */
    default boolean collidesAnew() {
        return true;
    }

    /** Steps by hand. */
    void step(double dtSeconds);

    /** Lets the next step fail, within the engine or in what it calls. */
    void breakSteps();

    /** Takes back what made steps fail. */
    void mendSteps();

    /** The pose that the engine has: x, y, z in metres and the quaternion x, y, z, w. */
    double[] pose(B body);

    /** Whether the engine has put a body to sleep. */
    boolean isAsleep(B body);

    /** Frees the engine's world. */
    @Override
    void close();
}
