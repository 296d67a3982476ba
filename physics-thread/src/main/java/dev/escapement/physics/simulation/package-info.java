/**
 * A simulation and its run: the interface that users implement, its ticks, what happens to late ones, states and statistics.
 *
 * <p>Start reading at {@link dev.escapement.physics.simulation.Simulation}.
 */
@NullMarked
package dev.escapement.physics.simulation;

import org.jspecify.annotations.NullMarked;
