package dev.escapement.physics;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;
import org.jspecify.annotations.NullMarked;

/** Gives the tests of unexported packages access to the internals of public classes. */
@NullMarked
public final class Internals {

    private Internals() {}

    public static void waiter(PhysicsServiceBuilder builder, Waiter waiter) {
        builder.waiter = waiter;
    }

    public static void watchdogNanos(PhysicsServiceBuilder builder, long nanos) {
        builder.watchdogNanos = nanos;
    }

    public static void closeTimeoutNanos(PhysicsServiceBuilder builder, long nanos) {
        builder.closeTimeoutNanos = nanos;
    }

    /** Builds a service whose ticks and watchdog follow a clock. */
    public static PhysicsService service(PhysicsServiceBuilder builder, NanoClock clock) {
        return new PhysicsService(builder.settings(Settings.Runner.OWN_THREAD), clock);
    }

    public static TickLoop loop(PhysicsServiceBuilder builder, NanoClock clock, CommandQueue.Answers answers) {
        return new TickLoop(builder.settings(Settings.Runner.OWN_THREAD), clock, answers);
    }
}
