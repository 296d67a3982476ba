/**
 * The physics thread: a {@link Simulation}, which users implement, and the {@link PhysicsService} that ticks it and publishes its
 * snapshots.
 *
 * <p>{@code TickSchedule} says when the next tick is due. {@code OwnThread} waits until then; without a thread of its own,
 * {@link InlineDriver} checks whether it is due. Then {@code TickLoop} runs it, in these steps:
 *
 * <ol>
 *   <li>Polled: {@code InputDevices} polls the devices. In a replica, the source log may then seek.
 *   <li>Commanded: hooks may seek ({@link TickHook#beforeCommands}), then {@code Requests} runs the commands that were offered to this
 *       service.
 *   <li>Stepped: {@link TickRunner} takes the tick from its {@link TickSource}: the input, and the commands of a source log. The record
 *       {@code OfferedInput} of {@code TickLoop} has the input that was offered to this service. The simulation steps, between two calls of
 *       hooks. A source log compares the state with the recorded one.
 *   <li>Captured: the simulation writes its poses into the next snapshot ({@link Simulation#capture}).
 *   <li>Ended: {@code TickSchedule} skips missed deadlines, pauses, or changes the speed.
 *   <li>Published: the snapshot, with the timeline; readers see it from here on.
 *   <li>Delivered: the contacts are collected ({@link Simulation#events}), and all events delivered.
 *   <li>At rest: hooks may save the state ({@link TickHook#atRest}).
 *   <li>Queried: {@code Requests} runs the queries.
 *   <li>Measured: {@code RunStats} writes down the tick, and hooks receive its times.
 * </ol>
 *
 * <p><i>Physics thread</i> is the thread that ticks: a service's thread, or the caller of a driver.
 *
 * <p>While time stands still, or the next tick is far away, {@code IdleTime} polls devices, lets hooks seek, and runs commands and queries;
 * in a pause it publishes what they changed.
 *
 * <p><b>Failure.</b> User code that throws ends a service in {@code Lifecycle}, whose documentation has the steps. A {@code Watchdog} or
 * {@link PhysicsService#close()} finds user code that hangs, and {@code Abandonment} ends the run in place of its thread. If user code
 * returns or throws just then, {@code UserCodeGuard} decides whether its thread counts as abandoned.
 *
 * <p>Start reading at {@link PhysicsService}. A {@link TickHook}, such as a recording, accompanies a run.
 */
@NullMarked
package dev.escapement.physics;

import dev.escapement.physics.loop.TickRunner;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import org.jspecify.annotations.NullMarked;
