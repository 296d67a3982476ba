package dev.escapement.bench.demo;

import org.joml.Vector3dc;

/**
 * A world whose bodies can be pushed. Physics thread only.
 *
 * @see PushControls
 */
public interface Pushable {

    /** How many bodies there are, those included that cannot be pushed. */
    int bodyCount();

    /** How many bodies can be pushed, numbered from 0. */
    int pushableCount();

    /** The position of a body, in metres; valid until the next call. */
    Vector3dc position(int body);

    /** Changes a body's velocity at once, by metres per second. */
    void push(int body, double dvx, double dvy, double dvz);
}
