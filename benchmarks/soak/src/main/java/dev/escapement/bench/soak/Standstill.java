package dev.escapement.bench.soak;

import java.util.concurrent.TimeUnit;

/** How long a count has not changed while this program ran: time in which it was stopped, or had no core, counts little. One thread. */
final class Standstill {

    private static final long MAX_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private long countBefore = Long.MIN_VALUE;
    private long lookedNanos;
    private long standsNanos;

    /** Looks at the count, several times a second; returns for how long it has been the same. */
    long look(long count, long nowNanos) {
        standsNanos = count == countBefore ? standsNanos + Math.min(MAX_LOOK_NANOS, nowNanos - lookedNanos) : 0;
        countBefore = count;
        lookedNanos = nowNanos;
        return standsNanos;
    }
}
