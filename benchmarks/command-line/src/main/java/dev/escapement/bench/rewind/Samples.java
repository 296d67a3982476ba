package dev.escapement.bench.rewind;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.DoubleHistogram;

/** Distributions by name, each exact to three digits. One thread at a time. */
final class Samples {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<String, DoubleHistogram> named = new HashMap<>();

    /** Whether samples are kept: not while what is measured warms up. */
    boolean counts = true;

    /** What is measured; it may throw. */
    interface Work {
        void run() throws Throwable;
    }

    /** Adds how long work takes, in nanoseconds, which this returns, and the bytes that it allocates, as {@code name + "Bytes"}. */
    long time(String name, Work work) {
        long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        long beginNanos = System.nanoTime();
        try {
            work.run();
        } catch (Throwable thrown) {
            throw new IllegalStateException(name + " could not be measured: " + thrown, thrown);
        }
        long nanos = System.nanoTime() - beginNanos;
        add(name + "Bytes", (double) (THREADS.getCurrentThreadAllocatedBytes() - bytesBefore));
        add(name, (double) nanos);
        return nanos;
    }

    /** Adds a sample; a negative one is 0. */
    void add(String name, double sample) {
        if (counts) {
            get(name).recordValue(Math.max(0, sample));
        }
    }

    DoubleHistogram get(String name) {
        return named.computeIfAbsent(name, any -> new DoubleHistogram(3));
    }

    /** The value that so many percent do not exceed; 0 without samples. */
    double at(int percent, String name) {
        return get(name).getValueAtPercentile(percent);
    }

    double median(String name) {
        return at(50, name);
    }

    /** A median over another. */
    double ratio(String of, String over) {
        return median(of) / median(over);
    }
}
