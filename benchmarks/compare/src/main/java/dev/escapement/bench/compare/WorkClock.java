package dev.escapement.bench.compare;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;

/** A clock, and a way to let time pass on it. */
interface WorkClock extends NanoClock {

    /** Returns when so much time has passed. */
    void spend(long nanos);

    /** Returns at an instant, at once if it is over. */
    default void spendUntil(long nanos) {
        spend(Math.max(0, nanos - nanoTime()));
    }

    /** A clock on which work takes no time but is said to. Starts at 0. */
    static WorkClock virtual() {
        ManualClock clock = new ManualClock(0);
        return new WorkClock() {
            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public void spend(long nanos) {
                clock.advance(nanos);
            }
        };
    }
}
