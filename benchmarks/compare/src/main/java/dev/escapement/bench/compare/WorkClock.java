package dev.escapement.bench.compare;

import dev.escapement.state.time.NanoClock;

/** A clock on which work takes no time but is said to. Starts at 0. One thread. */
class WorkClock implements NanoClock {

    private long nowNanos;

    @Override
    public final long nanoTime() {
        return nowNanos;
    }

    /** Lets so much time pass. */
    void spend(long nanos) {
        nowNanos += nanos;
    }

    /** Returns at an instant, at once if it is over. */
    final void spendUntil(long nanos) {
        spend(Math.max(0, nanos - nowNanos));
    }
}
