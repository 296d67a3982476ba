package dev.escapement.bench.compare;

import dev.escapement.state.time.ManualClock;

/** A clock on which work takes no time but is said to. Starts at 0. */
final class VirtualClock implements WorkClock {

    private final ManualClock clock = new ManualClock(0);

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public void spend(long nanos) {
        clock.advance(nanos);
    }

    /** Lets time pass until an instant that is not over. */
    void spendUntil(long nanos) {
        spend(nanos - nanoTime());
    }
}
