package dev.escapement.physics;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.NanoClock;
import org.jspecify.annotations.NullMarked;

/** Gives the tests of unexported packages access to the internals of public classes. */
@NullMarked
public final class Internals {

    private Internals() {}

    /** Returns the settings of a builder that is still being configured. */
    public static Settings settings(PhysicsServiceBuilder builder) {
        return builder.settings;
    }

    /** Returns the loop that the builder would create for a service with its own thread. */
    public static TickLoop loop(PhysicsServiceBuilder builder, NanoClock clock, CommandQueue.Answers answers) {
        return new TickLoop(builder.settings(Settings.Runner.OWN_THREAD), clock, answers);
    }
}
