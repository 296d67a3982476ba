package dev.escapement.bench.stress;

import java.lang.management.ManagementFactory;

/** The JVM's and the system's counts of the calling thread. Allocates nothing. */
final class ThreadCounts {

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    static {
        // A program may have switched the counters off: each count would be -1, as if no thread ran or allocated.
        THREADS.setThreadCpuTimeEnabled(true);
        THREADS.setThreadAllocatedMemoryEnabled(true);
    }

    private ThreadCounts() {}

    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Computes until the thread has run on a core for {@code nanos} more. A sleep would end at an unknown time. */
    static void compute(long nanos) {
        long endNanos = cpuNanos() + nanos;
        while (endNanos - cpuNanos() > 0) {
            // Reading the count is enough work.
        }
    }

    /** The nanoseconds that the thread has run on a core. */
    static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
