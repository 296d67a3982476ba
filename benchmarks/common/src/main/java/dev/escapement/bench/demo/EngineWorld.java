package dev.escapement.bench.demo;

import dev.escapement.physics.world.WorldSimulation;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;

/**
 * A world of an engine, with the operations that {@link EngineBodies} needs. Each subclass implements them with the calls of its engine.
 * Once a service ticks the world, only its physics thread may use it.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineWorld<B> {

    abstract WorldSimulation<?, B> simulation();

    /** Makes a body; null for a static solid if the engine has no bodies for such solids. */
    abstract @Nullable B add(Solid solid);

    /** Lets a body hang from a hinge at {@code from}, whose axis is z. */
    abstract void hang(B body, Vector3dc from);

    /** Called after the last body was made, for example to build the engine's index of bodies. */
    void ready() {}

    abstract Vector3dc position(B body, Vector3d to);

    /** Adds to a body's velocity at once, and wakes the body. */
    abstract void push(B body, float kilograms, double dvx, double dvy, double dvz);

    /** Moves a part of the machine so that the next step brings it to this position, and to this angle about z. */
    abstract void move(B part, double x, double y, double z, double turn, double dtSeconds);

    /** Teleports a body, and sets its velocity to 0. */
    abstract void moveBody(B body, double x, double y, double z);

    /** Frees the world's native memory. Called after the simulation has released the world. */
    void free() {}
}
