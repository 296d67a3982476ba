/**
 * The physics thread: a {@link dev.escapement.physics.Simulation}, which users implement, and the
 * {@link dev.escapement.physics.PhysicsService} that ticks it and publishes its snapshots.
 *
 * <p>{@code TickLoop} runs one tick; {@code TickSchedule} and {@code PhysicsThread} decide when. Requests of other threads come through the
 * packages {@code command} and {@code request}; package {@code usercode} isolates user code that throws or hangs. What accompanies a run,
 * such as a recording, is a {@link dev.escapement.physics.TickHook}; what ticks come from is a {@link dev.escapement.physics.TickSource}.
 *
 * <p>Start reading at {@link dev.escapement.physics.PhysicsService}.
 */
@NullMarked
package dev.escapement.physics;

import org.jspecify.annotations.NullMarked;
