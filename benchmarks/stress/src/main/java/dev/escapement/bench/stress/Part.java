package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.spi.TickHook;
import java.util.List;
import java.util.Optional;

/**
 * A part of the storm on one service, or an independent check of its promises. The service calls it as a tick hook. The thread of the run
 * calls the other methods, in the order in which they are declared here.
 */
interface Part extends TickHook, AutoCloseable {

    /** A part that does nothing. It replaces a part that the world or the machine cannot have. */
    Part NONE = new Part() {};

    /** Configures the service's builder. */
    default void join(PhysicsServiceBuilder builder) {}

    /** Attaches readers to the service, which was built but not started. */
    default void read(TickingWorld physics) {}

    /** Starts this part's threads. The service has started. */
    default void started() {}

    /** Checks the running service; called about a hundred times a second. */
    default void look() {}

    /** Returns whether the service has processed everything that this part sent to it. */
    default boolean isThrough() {
        return true;
    }

    default Optional<Throwable> failure() {
        return Optional.empty();
    }

    /** Ends what {@link #started()} started. The service still runs, unless it has failed. */
    @Override
    default void close() {}

    /** Closes readers and other objects of the service, which has stopped. */
    default void stopped() {}

    /** Checks the final results of the stopped service. Not called after a failure. */
    default void check() {}

    /** Closes all parts in reverse order, even if one throws; then throws one of the exceptions. */
    static void close(List<Part> all) {
        if (!all.isEmpty()) {
            try {
                all.get(all.size() - 1).close();
            } finally {
                close(all.subList(0, all.size() - 1));
            }
        }
    }
}
