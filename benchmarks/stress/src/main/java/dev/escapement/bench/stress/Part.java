package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.spi.TickHook;
import java.util.List;
import java.util.Optional;

/**
 * A part of the storm on one service, or a check of its promises by other means than the library's. Ticks call it as a hook. The thread
 * that runs calls the other methods, in their order here.
 */
interface Part extends TickHook, AutoCloseable {

    /** A part that the world or the machine cannot have. */
    Part NONE = new Part() {};

    /** Adds what else belongs into the service. */
    default void join(PhysicsServiceBuilder builder) {}

    /** Begins to read the service, which was built. */
    default void read(TickingWorld physics) {}

    /** Begins beside the service, which has started. */
    default void started() {}

    /** Looks at the running service, about a hundred times a second. */
    default void look() {}

    /** Returns whether all that it gave to the service has arrived. */
    default boolean isThrough() {
        return true;
    }

    /** Returns why it failed; empty if it did not. */
    default Optional<Throwable> failure() {
        return Optional.empty();
    }

    /** Ends what {@link #started()} began. The service still runs, unless it has failed. */
    @Override
    default void close() {}

    /** Ends what belongs to the service, which has stopped. */
    default void stopped() {}

    /** Checks what is left of the service, which has stopped, if nothing has failed. */
    default void check() {}

    /** Closes all of them, the last first, also where one throws; then throws what one of them threw. */
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
