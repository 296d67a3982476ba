package dev.escapement.bench.compare;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;

/** A clock, and a way to let time pass on it: by working so long on a real one, by moving one that is not. */
public interface WorkClock extends NanoClock {

    /** Returns when so much time has passed. */
    void spend(long nanos);

    /**
     * Returns when so much time has passed beside the work of another thread, which has begun at an instant. Where time does not pass by
     * itself, that work has moved the clock already.
     */
    default void spendBeside(long beganNanos, long nanos) {
        spend(nanos);
    }

    /** The JVM's clock, and work that keeps a core busy. Any thread. */
    static WorkClock busy() {
        return new WorkClock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void spend(long nanos) {
                long startedNanos = System.nanoTime();
                while (System.nanoTime() - startedNanos < nanos) {
                    Thread.onSpinWait();
                }
            }
        };
    }

    /** A clock on which work takes no time but is said to. Starts at 0. */
    final class Virtual implements WorkClock {

        private final ManualClock clock = new ManualClock(0);

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public void spend(long nanos) {
            clock.advance(nanos);
        }

        @Override
        public void spendBeside(long beganNanos, long nanos) {
            spend(Math.max(0, beganNanos + nanos - nanoTime()));
        }

        /** Lets time pass until an instant that is not over. */
        void spendUntil(long nanos) {
            spend(nanos - nanoTime());
        }
    }
}
