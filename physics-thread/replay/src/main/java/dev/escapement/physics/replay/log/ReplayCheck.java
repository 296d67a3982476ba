package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.spi.Divergence;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares the state after every tick of a replay with the recorded one, and keeps the first difference.
 *
 * <p>The physics thread checks; any thread may ask. Allocates nothing after the first tick until the states differ.
 */
final class ReplayCheck {

    private final @Nullable BodyStates bodies;

    // Volatile accesses: a thread that sees the difference sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    private long firstCommandTick = Divergence.UNKNOWN;

    /** Throws {@link IllegalArgumentException} if the bodies have other components than in the log, or the simulation other settings. */
    ReplayCheck(InputLog log, @Nullable BodyStates states) {
        if (states != null && !states.settings().equals(log.settings())) {
            throw new IllegalArgumentException("the log is of a simulation with " + named(log.settings())
                    + ", but this one has " + named(states.settings()) + "; give it those of the log");
        }
        List<String> components = log.components();
        bodies = components.isEmpty() ? null : states;
        if (bodies != null && !bodies.stateComponents().equals(components)) {
            throw new IllegalArgumentException("the log has of each body " + components + ", but the simulation "
                    + bodies.stateComponents() + "; it is another one");
        }
    }

    private static String named(String settings) {
        return settings.isEmpty() ? "the settings that it has by itself" : settings;
    }

    /** Compares the state after a tick. After the first difference it does nothing. */
    void check(LoggedTick recorded, long stateHash) {
        if (divergence.get() != null) {
            return;
        }
        if (recorded.commandsRan && firstCommandTick == Divergence.UNKNOWN) {
            firstCommandTick = recorded.number;
        }
        if (recorded.stateHash != stateHash) {
            divergence.set(recorded.digests.divergence(
                    recorded.number, recorded.stateHash, stateHash, bodies, firstCommandTick));
        }
    }

    /** Any thread: empty as long as every tick led to the recorded state. */
    Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }
}
