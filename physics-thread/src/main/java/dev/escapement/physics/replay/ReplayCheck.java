package dev.escapement.physics.replay;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares the state after every tick of a replay with that of the recorded run, and keeps the first difference.
 *
 * <p>The physics thread checks; any thread may ask. Allocates nothing after the first tick until the states differ.
 *
 * @see dev.escapement.physics.PhysicsService#divergence
 */
public final class ReplayCheck {

    private final List<String> components;
    private final @Nullable BodyStates bodies;

    // Volatile accesses: whoever sees the difference sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    private long firstCommandTick = Divergence.UNKNOWN;

    /**
     * Prepares to compare.
     *
     * @param log    the recorded run
     * @param bodies where the state of bodies is read, null if it cannot be
     * @throws IllegalArgumentException if bodies consist of other components than they did
     */
    public ReplayCheck(InputLog log, @Nullable BodyStates bodies) {
        components = log.components();
        this.bodies = components.isEmpty() ? null : bodies;
        if (this.bodies != null && !this.bodies.stateComponents().equals(components)) {
            throw new IllegalArgumentException("the log knows of each body " + components + ", but the simulation "
                    + this.bodies.stateComponents() + "; it is another one");
        }
    }

    /**
     * Compares a tick. After the first difference it does nothing.
     *
     * @param recorded  what the log knows of the tick
     * @param stateHash the hash of the state after it now
     */
    public void check(LoggedTick recorded, long stateHash) {
        if (divergence.get() != null) {
            return;
        }
        if (recorded.commandsRan() && firstCommandTick == Divergence.UNKNOWN) {
            firstCommandTick = recorded.number();
        }
        if (recorded.stateHash() != stateHash) {
            divergence.set(find(recorded, stateHash));
        }
    }

    /**
     * Where the states were first not the same. Any thread.
     *
     * @return empty as long as every tick led to the recorded state
     */
    public Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }

    private Divergence find(LoggedTick recorded, long stateHash) {
        int body = Divergence.UNKNOWN;
        String component = "";
        if (bodies != null) {
            BodyDigests now = new BodyDigests(components.size());
            now.read(bodies);
            body = firstDifferentBody(now, recorded.digests);
            if (body >= 0 && body < Math.min(now.bodies(), recorded.digests.bodies())) {
                component = components.get(now.firstDifference(body, recorded.digests));
            }
        }
        return new Divergence(recorded.number(), recorded.stateHash(), stateHash, body, component, firstCommandTick);
    }

    private static int firstDifferentBody(BodyDigests now, BodyDigests recorded) {
        int both = Math.min(now.bodies(), recorded.bodies());
        for (int body = 0; body < both; body++) {
            if (now.firstDifference(body, recorded) >= 0) {
                return body;
            }
        }
        return now.bodies() == recorded.bodies() ? Divergence.UNKNOWN : both;
    }
}
