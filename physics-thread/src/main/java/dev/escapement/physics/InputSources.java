package dev.escapement.physics;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.thread.FirstFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The devices that a physics thread polls, and which of them it is in: one that throws, or hangs, is not given to the thread that
 * goes on after a restart.
 *
 * <p>Used by the physics thread, except {@link #close()} and {@link #succeededBy()}, which follow its end or its being abandoned.
 * Polling allocates nothing.
 */
final class InputSources {

    private static final int NONE = -1;

    private final InputRing ring;
    private final InputSource[] sources;

    // Plain: written before a beat of the heartbeat, whose abandoning acquires it; otherwise read after the thread has
    // ended.
    private int selected = NONE;

    // Full compare-and-set: the thread that ends and the one that closes the service may both come here, and one does
    // it.
    private final AtomicBoolean closed = new AtomicBoolean();

    InputSources(List<InputSource> sources, InputRing ring) {
        this.sources = sources.toArray(new InputSource[0]);
        this.ring = ring;
    }

    /** For the thread that goes on after this one's. */
    InputSources succeededBy() {
        return new InputSources(others(), ring);
    }

    int size() {
        return sources.length;
    }

    /** Says which is polled next. Before the heartbeat begins, so that who abandons the thread knows. */
    void select(int index) {
        selected = index;
    }

    void pollSelected() {
        sources[selected].poll(ring);
    }

    /** All have come back. */
    void deselect() {
        selected = NONE;
    }

    /** Closes the one that did not come back in order, by the thread that was in it: nobody else knows when it is out. */
    void closeSelected() {
        if (selected != NONE) {
            InputSource broken = sources[selected];
            sources[selected] = closedAlready -> {};
            broken.close();
        }
    }

    /** Closes the others. Idempotent. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            FirstFailure failure = new FirstFailure();
            for (InputSource source : others()) {
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

    private List<InputSource> others() {
        List<InputSource> others = new ArrayList<>(List.of(sources));
        if (selected != NONE) {
            others.remove(selected);
        }
        return others;
    }
}
