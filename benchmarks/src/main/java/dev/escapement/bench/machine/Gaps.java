package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.state.thread.ThreadEnd;
import java.util.concurrent.locks.LockSupport;

/** A thread that wakes up every half millisecond and measures how late it is: by a safepoint, a collection, another program. */
final class Gaps implements AutoCloseable {

    private static final long REST_NANOS = 500_000;
    private static final long CLOSE_NANOS = 10_000_000_000L;

    private final Distribution gaps = new Distribution();
    private final Thread thread = new Thread(this::look, "gaps");
    private volatile boolean ending; // read every half millisecond, so its cost does not matter

    Gaps() {
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        long lastNanos = System.nanoTime();
        while (!ending) {
            LockSupport.parkNanos(REST_NANOS);
            long nowNanos = System.nanoTime();
            gaps.record(nowNanos - lastNanos - REST_NANOS);
            lastNanos = nowNanos;
        }
    }

    /** Ends the thread; then {@link #micros()} may be asked. */
    @Override
    public void close() {
        ending = true;
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            throw new IllegalStateException("the thread that measures gaps does not end");
        }
    }

    /** How late it woke up. */
    Distribution.Summary micros() {
        return gaps.summary();
    }
}
