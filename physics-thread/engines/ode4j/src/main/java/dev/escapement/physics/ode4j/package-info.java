/**
 * ode4j, the Open Dynamics Engine in pure Java: around a world that the game has.
 *
 * <p>Start reading at {@link dev.escapement.physics.ode4j.Ode4jWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.ode4j;

import org.jspecify.annotations.NullMarked;
