package dev.escapement.physics;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.NanoClock;
import org.jspecify.annotations.NullMarked;

/** Opens the classes that users hold to the tests of packages that are not exported. */
@NullMarked
public final class Internals {

    private Internals() {}

    /** The settings while the builder still fills them. */
    public static Settings settings(PhysicsServiceBuilder builder) {
        return builder.settings;
    }

    /** The loop that the builder makes for a service with a thread of its own. */
    public static TickLoop loop(PhysicsServiceBuilder builder, NanoClock clock, CommandQueue.Answers answers) {
        return new TickLoop(builder.settings(Settings.Runner.OWN_THREAD), clock, answers);
    }

    public static TickLoop loop(TickingWorld world) {
        return world.loop;
    }
}
