package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;

/**
 * A body that forces move, as any engine can make it. Immutable.
 *
 * @param form      a box, a ball or a capsule
 * @param kilograms its mass
 * @param awake     whether it is awake at first
 * @param x         where its centre is at first, metres
 * @param y         metres
 * @param z         metres; engines of two dimensions leave it out
 */
public record Solid(BodyShape.Form form, float kilograms, boolean awake, double x, double y, double z) {}
