package dev.escapement.bench.stress;

import java.lang.management.ManagementFactory;

/** The JVM's and the system's counts of the calling thread. Allocates nothing. */
final class ThreadCounts {

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    static {
        // A program may have switched them off: each count is -1 then, as if no thread did anything.
        THREADS.setThreadCpuTimeEnabled(true);
        THREADS.setThreadAllocatedMemoryEnabled(true);
    }

    private ThreadCounts() {}

    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Computes until it has run on a core for so many more nanoseconds: how long a thread really sleeps would not be known. */
    static void compute(long nanos) {
        long endNanos = cpuNanos() + nanos;
        while (endNanos - cpuNanos() > 0) {
            // Asking is enough work.
        }
    }

    /** How long it has run on a core, in nanoseconds. */
    static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
