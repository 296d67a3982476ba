package dev.escapement.bench.machine;

import java.util.concurrent.locks.LockSupport;

/** The resolution of the timer of this machine. Without spinning, deadlines cannot be kept better. */
public final class TimerResolution {

    private static final int PARKS = 5;
    private static final long PARK_NANOS = 1000;

    private TimerResolution() {}

    /**
     * Measures how long a park of a microsecond takes: the shortest of several in a row. With a timer driven by interrupts each of them
     * takes a whole period, but a single one may be short by chance.
     */
    public static long shortestParkNanos() {
        LockSupport.parkNanos(PARK_NANOS); // ends with a timer period, so that the next park starts with one
        long shortest = Long.MAX_VALUE;
        long last = System.nanoTime();
        for (int park = 0; park < PARKS; park++) {
            LockSupport.parkNanos(PARK_NANOS);
            long now = System.nanoTime();
            shortest = Math.min(shortest, now - last);
            last = now;
        }
        return shortest;
    }
}
