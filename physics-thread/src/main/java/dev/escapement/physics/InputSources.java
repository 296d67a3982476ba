package dev.escapement.physics;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.thread.FirstFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The devices that a physics thread polls, and which of them it is in: one that throws, or hangs, is not given to the thread that
 * goes on after a restart, is not heard any more, and leaves nothing held.
 *
 * <p>Used by the physics thread, except {@link #close()}, {@link #revokeSelected()} and {@link #succeededBy()}, which follow its end or its
 * being abandoned.
 * Polling allocates nothing.
 */
final class InputSources {

    private static final int NONE = -1;

    private final TrackedSource[] sources;

    // Plain: written before a beat of the heartbeat, whose abandoning acquires it; otherwise read after the thread has
    // ended.
    private int selected = NONE;

    // Full compare-and-set: the thread that ends and the one that closes the service may both come here, and one does
    // it.
    private final AtomicBoolean closed = new AtomicBoolean();

    InputSources(List<InputSource> sources, InputRing ring) {
        this(sources.stream().map(source -> new TrackedSource(source, ring)).toArray(TrackedSource[]::new));
    }

    private InputSources(TrackedSource[] sources) {
        this.sources = sources;
    }

    /** For the thread that goes on after this one's. */
    InputSources succeededBy() {
        TrackedSource[] successors = sources.clone();
        if (selected != NONE) {
            successors[selected] = sources[selected].releasing();
        }
        return new InputSources(successors);
    }

    /** What the one that did not come back offers from now on is refused. */
    void revokeSelected() {
        if (selected != NONE) {
            sources[selected].revoke();
        }
    }

    int size() {
        return sources.length;
    }

    /** Says which is polled next. Before the heartbeat begins, so that who abandons the thread knows. */
    void select(int index) {
        selected = index;
    }

    void pollSelected() {
        sources[selected].poll();
    }

    /** All have come back. */
    void deselect() {
        selected = NONE;
    }

    /** Closes the one that did not come back in order, by the thread that was in it: nobody else knows when it is out. */
    void closeSelected() {
        if (selected != NONE) {
            sources[selected].close();
        }
    }

    /** Closes the others. Idempotent. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            FirstFailure failure = new FirstFailure();
            for (TrackedSource source : others()) {
                try {
                    source.close();
                } catch (RuntimeException | Error thrown) {
                    failure.add(thrown);
                }
            }
            Throwable cause = failure.cause().orElse(null);
            if (cause instanceof Error error) {
                throw error;
            }
            if (cause != null) {
                throw (RuntimeException) cause;
            }
        }
    }

    private List<TrackedSource> others() {
        List<TrackedSource> others = new ArrayList<>(List.of(sources));
        if (selected != NONE) {
            others.remove(selected);
        }
        return others;
    }
}
