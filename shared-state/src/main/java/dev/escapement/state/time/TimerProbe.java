package dev.escapement.state.time;

/** Measures the smallest step of a clock and the shortest park, within a bounded time. One measurement on one thread. */
final class TimerProbe {

    private static final int STEPS = 20;
    private static final int MAX_READS = 1_000_000;
    private static final int PARKS = 5;
    private static final int LEAST_PARKS = 2;
    private static final long PARK_NANOS = 1000;
    private static final long MAX_PARKED_NANOS = 20_000_000;

    private final NanoClock clock;
    private final Waiting waiting;
    private boolean interrupted;

    TimerProbe(NanoClock clock, Waiting waiting) {
        this.clock = clock;
        this.waiting = waiting;
    }

    TimerResolution measure() {
        try {
            return new TimerResolution(smallestStep(), shortestPark());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Bounded by the number of reads, because a clock that stands still cannot end it. */
    private long smallestStep() {
        long smallest = Long.MAX_VALUE;
        long last = clock.nanoTime();
        int steps = 0;
        for (int read = 0; read < MAX_READS && steps < STEPS; read++) {
            long now = clock.nanoTime();
            if (now != last) {
                smallest = Math.min(smallest, now - last);
                last = now;
                steps++;
            }
        }
        return smallest;
    }

    private long shortestPark() {
        park(); // ends with a timer period, so that the next park starts with one
        long startNanos = clock.nanoTime();
        long shortest = Long.MAX_VALUE;
        long last = startNanos;
        for (int park = 0; park < PARKS && (park < LEAST_PARKS || last - startNanos < MAX_PARKED_NANOS); park++) {
            park();
            long now = clock.nanoTime();
            shortest = Math.min(shortest, now - last);
            last = now;
        }
        return shortest;
    }

    /** Clears a pending interrupt first, which would end every park immediately. */
    private void park() {
        interrupted |= Thread.interrupted();
        waiting.park(PARK_NANOS);
    }
}
