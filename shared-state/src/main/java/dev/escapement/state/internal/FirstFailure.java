package dev.escapement.state.internal;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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

    /**
     * Closes something, and reports what it throws. Throws nothing, so that what else there is can be closed. Allocates nothing.
     *
     * @param what   what to close
     * @param failed gets what it throws; what that throws itself, as when memory has run out, is lost
     */
    public static void closeReporting(AutoCloseable what, Consumer<Throwable> failed) {
        try {
            what.close();
        } catch (Throwable thrown) {
            try {
                failed.accept(thrown);
            } catch (Throwable noMemory) {
                // what was thrown is lost
            }
        }
    }

    /** {@return the first failure that was added, empty if none was} */
    public Optional<Throwable> cause() {
        return Optional.ofNullable(first.get());
    }
}
