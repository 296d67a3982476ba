package dev.escapement.bench.measure;

import java.lang.management.ManagementFactory;

/**
 * The bytes that a thread allocated and its processor time since the last reset, read on that thread: only there the JVM's counters
 * are exact.
 */
final class ThreadMeter {

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long rounds;
    private long firstBytes;
    private long lastBytes;
    private long firstCpuNanos;
    private long lastCpuNanos;

    /** Ends a round: a tick or a frame. */
    void roundEnded() {
        lastCpuNanos = threads.getCurrentThreadCpuTime();
        lastBytes = threads.getCurrentThreadAllocatedBytes();
        rounds++;
    }

    /** Drops the rounds so far. */
    void reset() {
        firstCpuNanos = lastCpuNanos;
        firstBytes = lastBytes;
        rounds = 0;
    }

    double allocatedBytesPerRound() {
        return rounds == 0 ? 0 : (double) (lastBytes - firstBytes) / rounds;
    }

    /** Processor time as a share of one core; the rounds took {@code wallNanos} in all. */
    double corePercent(long wallNanos) {
        return wallNanos <= 0 ? 0 : 100.0 * (lastCpuNanos - firstCpuNanos) / wallNanos;
    }
}
