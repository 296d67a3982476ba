package dev.escapement.state.internal;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the cause of a failure. The first throwable is the cause; later ones become its suppressed exceptions.
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

    // Volatile: the compareAndExchange in add releases to the get in cause. Else a thread could see the throwable, but
    // not what the throwing thread wrote before.
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

    /** Creates a record without a failure. */
    public FirstFailure() {}

    /**
     * Adds a failure. Throws nothing, so that the caller can finish its shutdown. A later failure is lost if there is
     * no memory or stack left to add it.
     *
     * @param thrown the failure
     */
    public void add(Throwable thrown) {
        Throwable cause = first.compareAndExchange(null, thrown);
        if (cause != null && cause != thrown) {
            try {
                cause.addSuppressed(thrown);
            } catch (OutOfMemoryError | StackOverflowError noRoom) {
                // no room, so this later failure is lost
            }
        }
    }

    /**
     * Closes a resource, and reports its failure. Throws nothing, so that the caller can close the others. Allocates nothing.
     *
     * @param what   the resource
     * @param failed receives the failure of the close; if the consumer fails itself, for example without memory, its failure is lost
     */
    public static void closeReporting(AutoCloseable what, Consumer<Throwable> failed) {
        try {
            what.close();
        } catch (Throwable thrown) {
            try {
                failed.accept(thrown);
            } catch (Throwable noMemory) {
                // the consumer's own failure is lost, as documented
            }
        }
    }

    /** {@return the first failure, empty if there is none} */
    public Optional<Throwable> cause() {
        return Optional.ofNullable(first.get());
    }
}
