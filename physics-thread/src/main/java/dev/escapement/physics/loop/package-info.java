/**
 * The loop: due times, and the steps of a tick.
 *
 * <p>Start reading at {@code TickLoop.runTick}, which has a line for each step. {@code TickSchedule} knows when the next tick is due,
 * {@code TickRunner} takes it from its source and steps the simulation, {@code TickControl} seeks and re-simulates for hooks.
 */
@NullMarked
package dev.escapement.physics.loop;

import org.jspecify.annotations.NullMarked;
