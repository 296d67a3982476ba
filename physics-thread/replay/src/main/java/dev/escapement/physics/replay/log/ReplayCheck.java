package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.spi.Divergence;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares the state with which a replay starts, and the state after every tick, with the recorded ones, and keeps the first difference.
 *
 * <p>The physics thread checks; any thread may ask. Allocates nothing after the first tick until the states differ.
 */
final class ReplayCheck {

    // Volatile accesses: a thread that sees the difference sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    private long firstCommandTick = Divergence.UNKNOWN;

    /** Throws {@link IllegalArgumentException} if the simulation has other settings. */
    ReplayCheck(InputLog log, @Nullable BodyStates states) {
        if (states != null && !states.settings().equals(log.settings())) {
            throw new IllegalArgumentException("the log is of a simulation with " + named(log.settings())
                    + ", but this one has " + named(states.settings()) + "; give it those of the log");
        }
    }

    private static String named(String settings) {
        return settings.isEmpty() ? "the settings that it has by itself" : settings;
    }

    /** Restores the state with which a log starts, and compares what the simulation would save now. */
    void restore(Restorable restorable, StateBuffer start, long tick) {
        restorable.restore(start);
        StateBuffer now = new StateBuffer().compareWith(start);
        restorable.save(now);
        if (!now.difference().isEmpty()) {
            divergence.set(new Divergence(tick, start.hash(), now.hash(), now.difference(), Divergence.UNKNOWN));
        }
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
            divergence.set(new Divergence(recorded.number, recorded.stateHash, stateHash, "", firstCommandTick));
        }
    }

    /** Any thread: empty as long as every tick led to the recorded state. */
    Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }
}
