package dev.escapement.bench.stress.ledger;

import java.util.Optional;

/** Threads that work until they are closed, and may fail before. */
public interface Failing extends AutoCloseable {

    /** Why one failed, empty if none did. Any thread. */
    Optional<Throwable> failure();

    /** Whether something has come of their work. Any thread. */
    default boolean hasWorked() {
        return true;
    }

    /** Ends them, within a bounded time. */
    @Override
    void close();
}
