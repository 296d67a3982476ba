package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.spi.TickHook;
import java.util.List;
import java.util.Optional;

/**
 * A part of the storm on one service, or an independent check of its promises. Ticks call it as a hook. The thread of the run calls the
 * other methods, in their order here.
 */
interface Part extends TickHook, AutoCloseable {

    /** A part that does nothing, where the world or the machine cannot have one. */
    Part NONE = new Part() {};

    /** Adds other objects to the service's builder. */
    default void join(PhysicsServiceBuilder builder) {}

    /** Attaches readers to the service, which was built. */
    default void read(TickingWorld physics) {}

    /** Begins the work beside the service, which has started. */
    default void started() {}

    /** Looks at the running service, about a hundred times a second. */
    default void look() {}

    /** Returns whether everything that this part sent to the service has arrived. */
    default boolean isThrough() {
        return true;
    }

    /** Returns why the part failed; empty if it did not. */
    default Optional<Throwable> failure() {
        return Optional.empty();
    }

    /** Ends the work that {@link #started()} began. The service still runs, unless it has failed. */
    @Override
    default void close() {}

    /** Releases the objects of the service, which has stopped. */
    default void stopped() {}

    /** Checks the results of the stopped service. Not called after a failure. */
    default void check() {}

    /** Closes all parts, the last first, even if one throws; then rethrows one of the exceptions. */
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
