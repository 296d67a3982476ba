package dev.escapement.bench.machine;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;

/**
 * The resolution of a machine's timer. Deadlines cannot be kept better than the clock's step, nor, without spinning, better than the
 * shortest park.
 *
 * @param clockStepNanos    the smallest step of the clock that was seen, {@link Long#MAX_VALUE} if it stood still
 * @param shortestParkNanos how long a park of a microsecond took: the shortest of several in a row. With a timer driven by interrupts each
 *                          of them takes a whole period, but a single one may be short by chance
 * @see dev.escapement.state.time.Pacer
 */
public record TimerResolution(long clockStepNanos, long shortestParkNanos) {

    /**
     * Measures a timer, which takes a millisecond or less on a good machine and some timer periods on a bad one.
     *
     * @param clock  the clock
     * @param waiter how the calling thread parks; an interrupt stays pending
     * @return what was seen
     */
    static TimerResolution measure(NanoClock clock, Waiter waiter) {
        return new Probe(clock, waiter).measure();
    }

    /** {@return the timer of the running JVM, measured at the first call} Any thread may call this. */
    public static TimerResolution ofThisJvm() {
        return OfThisJvm.MEASURED;
    }

    /** Measured by the thread that asks first; the JVM's class initialisation makes the others wait for it. */
    private static final class OfThisJvm {
        static final TimerResolution MEASURED = measure(NanoClock.system(), Waiter.system());
    }

    /** Measures the smallest step of a clock and the shortest park, within a bounded time. One measurement on one thread. */
    private static final class Probe {

        private static final int STEPS = 20;
        private static final int MAX_READS = 1_000_000;
        private static final int PARKS = 5;
        private static final int MIN_PARKS = 2;
        private static final long PARK_NANOS = 1000;
        private static final long MAX_PARKED_NANOS = 20_000_000;

        private final NanoClock clock;
        private final Waiter waiter;
        private boolean interrupted;

        Probe(NanoClock clock, Waiter waiter) {
            this.clock = clock;
            this.waiter = waiter;
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
            for (int park = 0; park < PARKS && (park < MIN_PARKS || last - startNanos < MAX_PARKED_NANOS); park++) {
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
            waiter.park(PARK_NANOS);
        }
    }
}
