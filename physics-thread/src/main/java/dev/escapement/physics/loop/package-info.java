/**
 * The loop: the steps of a tick, and what happens while no tick is due.
 *
 * <p>Start reading at {@code TickLoop.runTick}, which has a line for each step. {@code TickRunner} takes the tick from its source and steps
 * the simulation, {@code IdleTime} serves requests without a tick, {@code TickControl} seeks and re-simulates for hooks. {@code RunState}
 * says whether the run may continue.
 */
@NullMarked
package dev.escapement.physics.loop;

import org.jspecify.annotations.NullMarked;
