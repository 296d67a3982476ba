/**
 * The physics thread: a {@link dev.escapement.physics.Simulation}, which users implement, and the
 * {@link dev.escapement.physics.PhysicsService} that ticks it and publishes its snapshots.
 *
 * <p>How a tick runs is in {@code TickLoop}, when it runs in {@code TickSchedule} and {@code PhysicsThread}. What other threads ask for comes
 * through the packages {@code command} and {@code request}; package {@code guard} contains user code that throws or hangs; package
 * {@code replay} records runs and runs them again, behind the interfaces {@link dev.escapement.physics.TickRecorder} and
 * {@link dev.escapement.physics.RecordedRun}.
 *
 * <p>Start reading at {@link dev.escapement.physics.TickingWorld}.
 */
@NullMarked
package dev.escapement.physics;

import org.jspecify.annotations.NullMarked;
