package dev.escapement.bench.compare;

import dev.escapement.state.time.NanoClock;

/** A virtual clock. The code that simulates work advances it by the time that the work is assumed to take. Starts at 0. One thread. */
final class WorkClock implements NanoClock {

    private long nowNanos;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    void spend(long nanos) {
        nowNanos += nanos;
    }

    void spendUntil(long nanos) {
        spend(Math.max(0, nanos - nowNanos));
    }
}
