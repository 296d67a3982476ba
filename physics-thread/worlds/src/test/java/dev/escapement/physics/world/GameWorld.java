package dev.escapement.physics.world;

import org.jspecify.annotations.Nullable;

/**
 * A game's operations on its world with the engine's own calls, for {@link ExistingWorldContract}. The world has gravity of 9.81 m/s²
 * downwards along y, and a floor whose top is at y = 0, at least 20 m to each side.
 */
public interface GameWorld<W, B> extends AutoCloseable {

    /** Returns the world, always the same object. */
    W world();

    /** Adds a cube with its centre at a place in the plane z = 0, not rotated. */
    default B addBox(double x, double y) {
        return addShaped(x, y, 0, 0, 0.5, 0.5);
    }

    /** Adds a kinematic platform, 8 m wide and half a metre high, with its centre at a place in the plane z = 0. */
    B addPlatform(double x, double y);

    void remove(B body);

    /** Gives a body a velocity, and wakes it. */
    void setVelocity(B body, double vx, double vy);

    /** Makes a body turn, in radians a second, undamped. Returns false if the engine turns it by less than half a turn a step. */
    boolean spin(B body, double wx, double wy, double wz);

    /** Moves a body to another place, and wakes it only if the engine does so by itself. */
    void place(B body, double x, double y);

    /** Turns a body to an angle about z, in radians. */
    void turn(B body, double angle);

    /** Joins two bodies, or one and the world, by a hinge at a place. Returns false if the engine reports no joints. */
    default boolean join(B body, @Nullable B other, double x, double y) {
        return false;
    }

    /**
     * Adds a body that never moves. It is made of boxes: for each box, x and y from the body's place, half the width and half the height.
     */
    B addFixed(double x, double y, double... boxes);

    /** Adds a body that moves, made of boxes as in {@link #addFixed}. */
    B addShaped(double x, double y, double... boxes);

    /** Makes a body a sensor, or solid again, without waking what it touches. Returns false if the engine has no sensors. */
    default boolean setSensor(B body, boolean isSensor) {
        return false;
    }

    /** Makes a body touch nothing. Returns false if the engine can do so only when a body is added. */
    default boolean touchNothing(B body) {
        return false;
    }

    /** Removes the last shape of a body. Returns false if the engine cannot. */
    default boolean removeShape(B body) {
        return false;
    }

    void step(double dtSeconds);

    /** Returns the engine's pose: x, y, z in metres and the quaternion x, y, z, w. */
    double[] pose(B body);

    boolean isAsleep(B body);

    @Override
    void close();
}
