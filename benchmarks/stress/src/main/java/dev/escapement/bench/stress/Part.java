package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import java.util.List;
import java.util.Optional;

/** A part of the storm on one service. The methods are called in their order here, by the thread that runs. */
interface Part extends AutoCloseable {

    /** A part that the world or the machine cannot have. */
    Part NONE = new Part() {};

    /** Adds what belongs into the service. */
    default void join(PhysicsServiceBuilder builder) {}

    /** Begins beside the service, which has started. */
    default void start() {}

    /** Returns why it failed; empty if it did not. */
    default Optional<Throwable> failure() {
        return Optional.empty();
    }

    /** Ends what {@link #start()} began. The service still runs, unless it has failed. */
    @Override
    default void close() {}

    /** Ends what belongs to the service, which has stopped. */
    default void stopped() {}

    /** Checks what is left, if nothing has failed. */
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
