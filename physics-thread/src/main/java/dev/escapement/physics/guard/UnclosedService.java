package dev.escapement.physics.guard;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Says that a running service was forgotten: that it became garbage without having been closed, or that the JVM ends while it ticks.
 * Its threads are daemons, so that a {@code main} which returns ends the JVM, and physics with it.
 *
 * <pre>{@code
 * UnclosedService unclosed = UnclosedService.watch(service, "The service of " + simulation);
 * unclosed.closed();
 * }</pre>
 *
 * <p>Any thread.
 */
public final class UnclosedService {

    private final String name;

    // Volatile accesses: the thread that closes and those that tell are different ones.
    private final AtomicBoolean open = new AtomicBoolean(true);

    /** One for each service and not for all: where all are closed, no hook keeps this class and its loader from being collected. */
    private final Thread atJvmEnd = new Thread(null, this::tellAtJvmEnd, "escapement-unclosed", 0, false);

    private final Cleaner.Cleanable garbage;

    private UnclosedService(Object service, String name) {
        this.name = name;
        atJvmEnd.setContextClassLoader(null); // that of a game which is to be unloaded, perhaps
        garbage = Cleaners.CLEANER.register(service, this::tellThatItIsGarbage);
        Runtime.getRuntime().addShutdownHook(atJvmEnd);
    }

    /**
     * Begins to watch a service.
     *
     * @param service the service, which is not kept from being collected
     * @param name    how messages call it
     * @return to be told when the service is closed; null if it cannot be watched, because there is no memory or the JVM ends
     */
    public static @Nullable UnclosedService watch(Object service, String name) {
        try {
            return new UnclosedService(service, name);
        } catch (OutOfMemoryError | LinkageError | IllegalStateException thrown) {
            return null;
        }
    }

    /** The service was closed. Idempotent. */
    public void closed() {
        if (open.compareAndSet(true, false)) {
            garbage.clean();
            try {
                Runtime.getRuntime().removeShutdownHook(atJvmEnd);
            } catch (IllegalStateException theJvmEnds) {
                // The hook runs, and finds that nothing is open.
            }
        }
    }

    /** Apart: there may be no memory for its thread, and then this class alone cannot be used. */
    private static final class Cleaners {

        static final Cleaner CLEANER = Cleaner.create();
    }

    private void tellThatItIsGarbage() {
        if (open.get()) {
            FailureReport.warn(name + " was never closed, and nothing refers to it any more: it goes on ticking, and"
                    + " keeps a thread and its simulation. Keep the service, and close() it.");
        }
    }

    private void tellAtJvmEnd() {
        if (open.get()) { // not by a logger: loggers end at the same time as this
            System.err.println(
                    "Escapement: " + name + " was not closed before the JVM ended. Its threads are daemons: keep"
                            + " main running for as long as physics is to tick, and close() the service.");
        }
    }
}
