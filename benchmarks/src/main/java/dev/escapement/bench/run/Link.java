package dev.escapement.bench.run;

import java.util.Optional;

/** One side of a stream between processes. */
interface Link extends AutoCloseable {

    /** Why it ended by itself. Any thread. */
    Optional<Throwable> failure();

    @Override
    void close();
}
