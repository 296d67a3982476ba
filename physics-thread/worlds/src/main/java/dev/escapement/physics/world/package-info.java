/**
 * Simulations around a world of an engine that the game already has and keeps using: which bodies are shown, which thread may touch it.
 *
 * <p>The engines' modules extend {@link dev.escapement.physics.world.WorldSimulation}; start reading there.
 */
@NullMarked
package dev.escapement.physics.world;

import org.jspecify.annotations.NullMarked;
