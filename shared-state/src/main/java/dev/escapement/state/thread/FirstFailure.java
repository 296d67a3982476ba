package dev.escapement.state.thread;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps why something failed: the first throwable is the cause, and later ones become its suppressed exceptions.
 *
 * <pre>{@code
 * try {
 *     work();
 * } catch (Throwable thrown) {
 *     failure.add(thrown);
 * }
 * }</pre>
 *
 * <p>Any thread.
 */
public final class FirstFailure {

    // Volatile accesses: a thread that sees the throwable also sees all that happened before it was added.
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

    /** Creates a record without a failure. */
    public FirstFailure() {}

    /**
     * Adds a failure. Throws nothing, so that what ends after a failure ends completely: if memory has run out, a later failure is lost.
     *
     * @param thrown what was thrown
     */
    public void add(Throwable thrown) {
        Throwable cause = first.compareAndExchange(null, thrown);
        if (cause != null && cause != thrown) {
            try {
                cause.addSuppressed(thrown);
            } catch (OutOfMemoryError | StackOverflowError noRoom) {
                // the first failure says why it ended
            }
        }
    }

    /** {@return the first failure that was added, empty if none was} */
    public Optional<Throwable> cause() {
        return Optional.ofNullable(first.get());
    }
}
