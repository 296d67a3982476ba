package dev.escapement.bench.stress;

import java.lang.management.ManagementFactory;

/** Counts of the calling thread by the JVM and the system: processor time and allocated bytes. Allocates nothing. */
final class ThreadCounts {

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    static {
        // Switches the counters on. A program may have switched them off; then each count would be -1.
        THREADS.setThreadCpuTimeEnabled(true);
        THREADS.setThreadAllocatedMemoryEnabled(true);
    }

    private ThreadCounts() {}

    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Computes until the thread has used {@code nanos} more of processor time. A sleep would use none. */
    static void compute(long nanos) {
        long endNanos = cpuNanos() + nanos;
        while (endNanos - cpuNanos() > 0) {
            // Reading the counter keeps the core busy.
        }
    }

    static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
