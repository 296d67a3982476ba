/**
 * dyn4j, a physics engine in pure Java for two dimensions: around a world that the game has.
 *
 * <p>Start reading at {@link dev.escapement.physics.dyn4j.Dyn4jWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.dyn4j;

import org.jspecify.annotations.NullMarked;
