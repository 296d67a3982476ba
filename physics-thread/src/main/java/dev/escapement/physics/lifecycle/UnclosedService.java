package dev.escapement.physics.lifecycle;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Warns, once in a JVM, of services that were not closed when the JVM ends while they tick. The threads of a service are daemons, so the
 * JVM and physics end when {@code main} returns.
 *
 * <p>Any thread.
 */
public final class UnclosedService {

    /** The services that are watched and not closed. Atomic, because any thread counts; orders nothing else. */
    private static final AtomicInteger OPEN = new AtomicInteger();

    private final String name;

    // Volatile: the closing thread writes it, and the thread that warns reads it; without it, the latter could warn of
    // a closed service.
    private volatile boolean open = true;

    /**
     * Each service has a shutdown hook of its own: when all services are closed, no hook keeps this class and its loader from being
     * collected.
     */
    private final Thread atJvmEnd = new Thread(null, this::reportAtJvmEnd, "escapement-unclosed", 0, false);

    private UnclosedService(String name) {
        this.name = name;
        atJvmEnd.setContextClassLoader(null); // else the hook would keep the class loader of a game loaded
        Runtime.getRuntime().addShutdownHook(atJvmEnd);
        OPEN.incrementAndGet();
    }

    /** Watches a service. Returns null if there is no memory, or the JVM is ending. */
    public static @Nullable UnclosedService watch(String name) {
        try {
            return new UnclosedService(name);
        } catch (OutOfMemoryError | IllegalStateException thrown) {
            return null;
        }
    }

    public void closed() {
        if (open) {
            open = false;
            OPEN.decrementAndGet();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atJvmEnd);
        } catch (IllegalStateException theJvmEnds) {
            // The hook is running already, and finds that the service is closed.
        }
    }

    private void reportAtJvmEnd() {
        int services = open && hasMainReturned() ? OPEN.getAndSet(0) : 0; // the first hook speaks for all
        if (services > 0) { // not to a logger: loggers shut down at the same time
            System.err.println(
                    "Escapement: " + name + (services == 1 ? " was" : " and " + (services - 1) + " more were")
                            + " not closed before main ended, which ends the JVM. Physics' threads are daemons: keep main"
                            + " running for as long as physics is to tick, and close() each service.");
        }
    }

    /**
     * False if a signal or {@code System.exit} ends the JVM, which is no oversight. The JVM starts the thread DestroyJavaVM once main has
     * returned; it runs Java code only if the JVM ends because no other thread is left, and then it has started this hook.
     */
    private static boolean hasMainReturned() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(thread -> thread.getKey().getName().equals("DestroyJavaVM") && thread.getValue().length > 0);
    }
}
