package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.restore.BodyStates;
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

    /** Throws {@link IllegalArgumentException} if the bodies have other components than those in the log. */
    ReplayCheck(InputLog log, @Nullable BodyStates states) {
        List<String> components = log.components();
        bodies = components.isEmpty() ? null : states;
        if (bodies != null && !bodies.stateComponents().equals(components)) {
            throw new IllegalArgumentException("the log has of each body " + components + ", but the simulation "
                    + bodies.stateComponents() + "; it is another one");
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
            divergence.set(difference(
                    recorded.number, recorded.stateHash, stateHash, recorded.digests, bodies, firstCommandTick));
        }
    }

    /** Any thread: empty as long as every tick led to the recorded state. */
    Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }

    /** Describes a difference, with the first body that differs if the bodies can be read. */
    static Divergence difference(
            long tick, long thenHash, long nowHash, BodyDigests then, @Nullable BodyStates bodies, long commandTick) {
        int group = Divergence.UNKNOWN;
        int body = Divergence.UNKNOWN;
        String component = "";
        if (bodies != null) {
            BodyDigests now = then.another();
            int both = Math.min(bodies.bodyCount(), then.bodies());
            now.read(bodies, both);
            int entry = now.firstDifferentEntry(then);
            if (entry < 0) {
                body = bodies.bodyCount() == then.bodies() ? Divergence.UNKNOWN : both;
            } else if (now.isOfEachBody()) {
                body = entry;
                component = bodies.stateComponents().get(now.firstDifference(entry, then));
            } else {
                group = entry;
            }
        }
        return new Divergence(
                tick,
                thenHash,
                nowHash,
                body == Divergence.UNKNOWN ? group : body / Divergence.GROUP_BODIES,
                body,
                component,
                commandTick);
    }
}
