/**
 * The physics thread: a {@link Simulation}, which users implement, and the {@link PhysicsService} that ticks it and publishes its snapshots.
 *
 * <p>{@code TickSchedule} says when the next tick is due. {@code OwnThread} waits until then; without a thread of its own,
 * {@link InlineDriver} looks whether it is. Then {@code TickLoop} runs it, in these steps:
 *
 * <ol>
 *   <li>Polled: {@code InputDevices} polls the devices.
 *   <li>Moved: {@code TickControl} lets the run jump, as the run that it follows did, or as a hook wants ({@link TickHook#between}).
 *   <li>Commanded: {@code Requests} runs the commands that were offered to this service.
 *   <li>Stepped: {@link TickRunner} takes the tick from its {@link TickSource}: the commands of a run that is followed, and the input.
 *       {@code LiveTicks} has the input that was offered to this service. The simulation steps, between two calls of hooks. The state is
 *       compared with that of the run that is followed.
 *   <li>Captured: {@code UserCode} has the poses written into the next snapshot ({@link Simulation#capture}).
 *   <li>Published: {@code TickSchedule} skips time that was missed, pauses, or changes the speed, and the snapshot is published with the
 *       timeline: readers see it from here on.
 *   <li>Told: {@code UserCode} collects the contacts ({@link Simulation#events}) and delivers all events. Hooks may save the state
 *       ({@link TickHook#atRest}). {@code Requests} runs the queries, {@code TickMeters} writes down the tick, and hooks are told of it.
 * </ol>
 *
 * <p><i>Physics thread</i> is the thread that ticks: that of a service, or the caller of a driver.
 *
 * <p>While time stands still, or the next tick is far away, only devices, jumps, commands and queries have their turn, again and again.
 *
 * <p>Start reading at {@link PhysicsService}. What accompanies a run, such as a recording, is a {@link TickHook}.
 */
@NullMarked
package dev.escapement.physics;

import org.jspecify.annotations.NullMarked;
