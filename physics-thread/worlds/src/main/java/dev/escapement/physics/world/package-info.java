/**
 * Simulations around existing worlds of engines: they show attached bodies, and define which thread may touch a world.
 *
 * <p>The engines' modules extend {@link dev.escapement.physics.world.WorldSimulation}; start reading there.
 */
@NullMarked
package dev.escapement.physics.world;

import org.jspecify.annotations.NullMarked;
