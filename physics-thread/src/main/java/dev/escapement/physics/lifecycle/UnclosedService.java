package dev.escapement.physics.lifecycle;

import dev.escapement.physics.usercode.FailureReport;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Warns of a running service that was not closed: it became unreachable, or the JVM ends while it ticks. The threads of a service are
 * daemons, so the JVM and physics end when {@code main} returns.
 *
 * <p>Any thread.
 */
public final class UnclosedService {

    private final String name;

    // Volatile and compare-and-set: the closing thread writes it, and the threads that warn read it; else they could
    // warn of a closed service. One close alone unregisters.
    private final AtomicBoolean open = new AtomicBoolean(true);

    /** Each service has a hook of its own: when all are closed, no hook keeps this class and its loader from being collected. */
    private final Thread atJvmEnd = new Thread(null, this::reportAtJvmEnd, "escapement-unclosed", 0, false);

    private final Cleaner.Cleanable garbage;

    private UnclosedService(Object service, String name) {
        this.name = name;
        atJvmEnd.setContextClassLoader(null); // the loader of a game may have to be unloaded
        garbage = Cleaners.CLEANER.register(service, this::reportThatItIsGarbage);
        Runtime.getRuntime().addShutdownHook(atJvmEnd);
    }

    /** Watches a service without keeping it from garbage collection. Returns null if there is no memory, or the JVM is ending. */
    public static @Nullable UnclosedService watch(Object service, String name) {
        try {
            return new UnclosedService(service, name);
        } catch (OutOfMemoryError | LinkageError | IllegalStateException thrown) {
            return null;
        }
    }

    /** Ends the watch, because the service was closed. Idempotent. */
    public void closed() {
        if (open.compareAndSet(true, false)) {
            garbage.clean();
            try {
                Runtime.getRuntime().removeShutdownHook(atJvmEnd);
            } catch (IllegalStateException theJvmEnds) {
                // The hook runs, and finds that the service is closed.
            }
        }
    }

    /** A class of its own: if there is no memory for the cleaner's thread, only this class fails to initialise. */
    private static final class Cleaners {

        static final Cleaner CLEANER = Cleaner.create();
    }

    private void reportThatItIsGarbage() {
        if (open.get()) {
            FailureReport.warn(
                    () -> name + " was never closed, and nothing refers to it any more: it keeps ticking, and"
                            + " keeps a thread and its simulation. Keep the service, and close() it.");
        }
    }

    private void reportAtJvmEnd() {
        if (open.get() && hasMainReturned()) { // not by a logger: loggers end at the same time as this
            System.err.println(
                    "Escapement: " + name + " was not closed before main ended, which ends the JVM. Its threads"
                            + " are daemons: keep main running for as long as physics is to tick, and close() the service.");
        }
    }

    /** False if a signal or {@code System.exit} ends the JVM, which is no oversight. This thread exists once main has returned. */
    private static boolean hasMainReturned() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("DestroyJavaVM"));
    }
}
