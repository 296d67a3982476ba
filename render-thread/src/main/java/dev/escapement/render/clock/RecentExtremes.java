package dev.escapement.render.clock;

import java.util.concurrent.TimeUnit;

/**
 * The smallest and the largest value of the last ten seconds, in steps of one second: each second keeps its own
 * pair, and the oldest is forgotten when a new one starts.
 */
final class RecentExtremes {

    private static final int SECONDS = 10;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long[] smallest = new long[SECONDS];
    private final long[] largest = new long[SECONDS];
    private int current;
    private long currentStartNanos;
    private boolean started;

    RecentExtremes() {
        forgetAll();
    }

    void add(long nowNanos, long value) {
        advance(nowNanos);
        smallest[current] = Math.min(smallest[current], value);
        largest[current] = Math.max(largest[current], value);
    }

    boolean isEmpty() {
        return largest() == Long.MIN_VALUE;
    }

    long smallest() {
        long least = Long.MAX_VALUE;
        for (long value : smallest) {
            least = Math.min(least, value);
        }
        return least;
    }

    long largest() {
        long most = Long.MIN_VALUE;
        for (long value : largest) {
            most = Math.max(most, value);
        }
        return most;
    }

    private void advance(long nowNanos) {
        if (!started) {
            currentStartNanos = nowNanos;
            started = true;
        }
        long elapsed = nowNanos - currentStartNanos;
        if (elapsed >= SECONDS * SECOND_NANOS) {
            forgetAll();
            currentStartNanos = nowNanos;
            return;
        }
        while (elapsed >= SECOND_NANOS) {
            current = (current + 1) % SECONDS;
            forget(current);
            currentStartNanos += SECOND_NANOS;
            elapsed -= SECOND_NANOS;
        }
    }

    private void forgetAll() {
        for (int second = 0; second < SECONDS; second++) {
            forget(second);
        }
    }

    private void forget(int second) {
        smallest[second] = Long.MAX_VALUE;
        largest[second] = Long.MIN_VALUE;
    }
}
