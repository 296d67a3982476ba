/**
 * A simulation around an existing world of ode4j, the Open Dynamics Engine in pure Java.
 *
 * <p>Start reading at {@link dev.escapement.physics.ode4j.Ode4jWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.ode4j;

import org.jspecify.annotations.NullMarked;
