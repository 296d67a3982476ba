package dev.escapement.bench.stress.ledger;

import java.util.List;
import java.util.Optional;

/** Threads that work until they are closed, and may fail before. */
public interface Failing extends AutoCloseable {

    /** Returns why one failed, empty if none did. Any thread. */
    Optional<Throwable> failure();

    /** Returns whether something has come of their work. Any thread. */
    default boolean hasWorked() {
        return true;
    }

    /** Ends them, within a bounded time. */
    @Override
    void close();

    /** Closes all of them, the last first, also where one throws; then throws what one of them threw. */
    static void close(List<? extends Failing> all) {
        if (!all.isEmpty()) {
            try {
                all.get(all.size() - 1).close();
            } finally {
                close(all.subList(0, all.size() - 1));
            }
        }
    }
}
