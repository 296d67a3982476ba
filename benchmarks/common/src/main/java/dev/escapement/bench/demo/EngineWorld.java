package dev.escapement.bench.demo;

import dev.escapement.physics.world.WorldSimulation;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;

/**
 * A world of an engine: the operations that {@link EngineBodies} needs, done with the engine's own calls. Only the physics thread may use
 * it once it ticks.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineWorld<B> {

    abstract WorldSimulation<?, B> simulation();

    /** Makes a body; null if the engine has no bodies for static solids. */
    abstract @Nullable B add(Solid solid);

    /** Hangs a body from a hinge that turns about z. */
    abstract void hang(B body, Vector3dc from);

    /** Completes the world after the last body was made. */
    void ready() {}

    abstract Vector3dc position(B body, Vector3d to);

    /** Changes a body's velocity at once, and wakes it. */
    abstract void push(B body, float kilograms, double dvx, double dvy, double dvz);

    /** Moves a part of the machine within the next step to a place and an angle about z. */
    abstract void move(B part, double x, double y, double z, double turn, double dtSeconds);

    /** Teleports a body, and stops it. */
    abstract void moveBody(B body, double x, double y, double z);

    /** Frees the world. Called after its simulation has released it. */
    void free() {}
}
