/**
 * A simulation around an existing world of dyn4j, a physics engine in pure Java for two dimensions.
 *
 * <p>Start reading at {@link dev.escapement.physics.dyn4j.Dyn4jWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.dyn4j;

import org.jspecify.annotations.NullMarked;
