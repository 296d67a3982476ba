package dev.escapement.physics.lifecycle;

import org.jspecify.annotations.Nullable;

/**
 * Warns of a service that was not closed when the JVM ends while it ticks. The threads of a service are daemons, so the JVM and physics end
 * when {@code main} returns.
 *
 * <p>Any thread.
 */
public final class UnclosedService {

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
        open = false;
        try {
            Runtime.getRuntime().removeShutdownHook(atJvmEnd);
        } catch (IllegalStateException theJvmEnds) {
            // The hook is running already, and finds that the service is closed.
        }
    }

    private void reportAtJvmEnd() {
        if (open && hasMainReturned()) { // not to a logger: loggers shut down at the same time
            System.err.println(
                    "Escapement: " + name + " was not closed before main ended, which ends the JVM. Its threads"
                            + " are daemons: keep main running for as long as physics is to tick, and close() the service.");
        }
    }

    /**
     * False if a signal or {@code System.exit} ends the JVM, which is no oversight. The JVM starts the thread DestroyJavaVM once main has
     * returned.
     */
    private static boolean hasMainReturned() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("DestroyJavaVM"));
    }
}
