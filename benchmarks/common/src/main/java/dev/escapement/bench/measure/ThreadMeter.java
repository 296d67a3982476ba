package dev.escapement.bench.measure;

import java.lang.management.ManagementFactory;

/**
 * The allocated bytes and the processor time of a thread since the last reset. The measured thread itself must call all methods, because
 * the JVM's counters are exact only for the calling thread.
 */
final class ThreadMeter {

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long rounds;
    private long firstBytes;
    private long lastBytes;
    private long firstCpuNanos;
    private long lastCpuNanos;

    /** Call it at the end of each round, which is a tick or a frame. */
    void roundEnded() {
        lastCpuNanos = threads.getCurrentThreadCpuTime();
        lastBytes = threads.getCurrentThreadAllocatedBytes();
        rounds++;
    }

    void reset() {
        firstCpuNanos = lastCpuNanos;
        firstBytes = lastBytes;
        rounds = 0;
    }

    double allocatedBytesPerRound() {
        return rounds == 0 ? 0 : (double) (lastBytes - firstBytes) / rounds;
    }

    /** The processor time in percent of one core; {@code wallNanos} is the duration of all rounds. */
    double corePercent(long wallNanos) {
        return wallNanos <= 0 ? 0 : 100.0 * (lastCpuNanos - firstCpuNanos) / wallNanos;
    }
}
