package dev.escapement.bench.stress.ledger;

import java.util.Optional;

/** Threads that work until they are closed, and may fail before. */
public interface Failing extends AutoCloseable {

    /** Why one failed, empty if none did. Any thread. */
    Optional<Throwable> failure();

    /** Ends them, within a bounded time. */
    @Override
    void close();
}
