package dev.escapement.bench.demo;

import org.joml.Vector3dc;

/** A world whose bodies {@link PushControls} can push. Physics thread only. */
public interface Pushable {

    /** The number of all bodies, including those that cannot be pushed. */
    int bodyCount();

    /** The number of bodies that can be pushed. They have the first numbers, from 0. */
    int pushableCount();

    /** The position of a body, in metres; valid until the next call. */
    Vector3dc position(int body);

    /** Adds to a body's velocity at once, in metres per second. */
    void push(int body, double dvx, double dvy, double dvz);
}
