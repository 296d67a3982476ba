package dev.escapement.bench.demo;

import org.joml.Vector3dc;

/**
 * A world whose bodies can be pushed. Physics thread only.
 *
 * @see PushControls
 */
public interface Pushable {

    /** The number of bodies, those included that cannot be pushed. */
    int bodyCount();

    /** The number of bodies that can be pushed; they are numbered from 0. */
    int pushableCount();

    /** The position of a body, in metres; valid until the next call. */
    Vector3dc position(int body);

    /** Changes a body's velocity at once, in metres per second. */
    void push(int body, double dvx, double dvy, double dvz);
}
