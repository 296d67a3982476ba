/**
 * Worlds of an engine that the game already has and keeps using: which of their bodies are shown, and which thread may touch them.
 *
 * <p>The engines' modules extend {@link dev.escapement.physics.world.WorldSimulation}; start reading there.
 */
@NullMarked
package dev.escapement.physics.world;

import org.jspecify.annotations.NullMarked;
