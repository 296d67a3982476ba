package dev.escapement.bench.demo;

import dev.escapement.physics.world.WorldSimulation;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;

/**
 * A world of an engine: what {@link EngineBodies} needs of it, done with the engine's own calls. The physics thread only, once it ticks.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineWorld<B> {

    /** Ticks this world. */
    abstract WorldSimulation<?, B> simulation();

    /** Makes a body; null if the engine has no bodies for static solids. */
    abstract @Nullable B add(Solid solid);

    /** Hangs a body from a hinge that turns about z. */
    abstract void hang(B body, Vector3dc from);

    /** After the last body was made. */
    void ready() {}

    /** Reads where a body is. */
    abstract Vector3dc position(B body, Vector3d to);

    /** Changes a body's velocity at once, and wakes it. */
    abstract void push(B body, float kilograms, double dvx, double dvy, double dvz);

    /** Moves a part of the machine within the next step to a place and an angle about z. */
    abstract void move(B part, double x, double y, double z, double turn, double dtSeconds);

    /** Moves a body at once, and stops it. */
    abstract void moveBody(B body, double x, double y, double z);

    /** Frees the world, after its simulation has released it. */
    void free() {}
}
