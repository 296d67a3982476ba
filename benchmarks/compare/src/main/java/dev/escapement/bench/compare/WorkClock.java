package dev.escapement.bench.compare;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import java.util.function.LongConsumer;

/** A clock, and a way to let time pass on it: by working so long on a real one, by moving one that is not. */
interface WorkClock extends NanoClock {

    /** Returns when so much time has passed. */
    void spend(long nanos);

    /** Returns at an instant, at once if it is over. */
    default void spendUntil(long nanos) {
        spend(Math.max(0, nanos - nanoTime()));
    }

    /** The JVM's clock, and work that keeps a core busy. Any thread. */
    static WorkClock busy() {
        return of(NanoClock.system(), nanos -> {
            long startedNanos = System.nanoTime();
            while (System.nanoTime() - startedNanos < nanos) {
                Thread.onSpinWait();
            }
        });
    }

    /** A clock on which work takes no time but is said to. Starts at 0. */
    static WorkClock virtual() {
        ManualClock clock = new ManualClock(0);
        return of(clock, clock::advance);
    }

    private static WorkClock of(NanoClock clock, LongConsumer work) {
        return new WorkClock() {
            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public void spend(long nanos) {
                work.accept(nanos);
            }
        };
    }
}
