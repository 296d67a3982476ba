package dev.escapement.bench.stress.ledger;

import java.util.List;
import java.util.Optional;

/** Threads that work until they are closed, and may fail before. */
public interface Failing extends AutoCloseable {

    /** Why one failed, empty if none did. Any thread. */
    Optional<Throwable> failure();

    /** Ends them, within a bounded time. */
    @Override
    void close();

    /** Why the first of them that failed did. */
    static Optional<Throwable> failure(List<? extends Failing> all) {
        return all.stream().flatMap(one -> one.failure().stream()).findFirst();
    }

    /** Closes all of them, also where one throws; then throws what the first one threw. */
    static void close(List<? extends Failing> all) {
        RuntimeException first = null;
        for (Failing one : all) {
            try {
                one.close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
