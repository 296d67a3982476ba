package dev.escapement.bench.compare;

import dev.escapement.state.time.NanoClock;

/** A virtual clock, advanced by the time that work is assumed to take. Starts at 0. One thread. */
class WorkClock implements NanoClock {

    private long nowNanos;

    @Override
    public final long nanoTime() {
        return nowNanos;
    }

    /** Advances by a time. */
    void spend(long nanos) {
        nowNanos += nanos;
    }

    /** Advances to an instant, not at all if it has passed. */
    final void spendUntil(long nanos) {
        spend(Math.max(0, nanos - nowNanos));
    }
}
