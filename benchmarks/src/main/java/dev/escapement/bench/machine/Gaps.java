package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.state.thread.ThreadEnd;
import java.util.concurrent.locks.LockSupport;

/** A thread that wants to run every half millisecond and sees when it could not: a safepoint, a collection, another program. */
final class Gaps implements AutoCloseable {

    private static final long REST_NANOS = 500_000;
    private static final long CLOSE_NANOS = 10_000_000_000L;

    private final Distribution gaps = new Distribution();
    private final Thread thread = new Thread(this::look, "gaps");
    private volatile boolean ending; // asked for every half millisecond, so its cost does not matter

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
            throw new IllegalStateException("the thread that looks for gaps does not end");
        }
    }

    /** By how much more than the rest that it wanted it stood still. */
    Distribution.Summary micros() {
        return gaps.summary();
    }
}
