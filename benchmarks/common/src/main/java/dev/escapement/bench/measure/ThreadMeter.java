package dev.escapement.bench.measure;

import java.lang.management.ManagementFactory;

/**
 * What a thread allocated and computed since the last reset, read by that thread itself: the JVM's counters are exact only
 * there.
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

    /** Forgets the rounds so far. */
    void reset() {
        firstCpuNanos = lastCpuNanos;
        firstBytes = lastBytes;
        rounds = 0;
    }

    double allocatedBytesPerRound() {
        return rounds == 0 ? 0 : (double) (lastBytes - firstBytes) / rounds;
    }

    /** Processor time as a share of one core, where the rounds took {@code wallNanos} in all. */
    double corePercent(long wallNanos) {
        return wallNanos <= 0 ? 0 : 100.0 * (lastCpuNanos - firstCpuNanos) / wallNanos;
    }
}
