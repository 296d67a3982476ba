package dev.escapement.bench.machine;

import dev.escapement.state.time.NanoClock;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Finds the largest number that holds: doubles until one does not, then bisects, for a bounded time. One thread. */
final class Ramp {

    private static final int PARTS = 16;
    private static final int TRIES = 2;

    private final NanoClock clock;
    private final long mostNanos;
    private final Consumer<Try> observer;

    /**
     * A number that was tried.
     *
     * @param number the number
     * @param why    why it does not hold, empty if it does
     */
    record Try(long number, String why) {

        boolean holds() {
            return why.isEmpty();
        }
    }

    /**
     * Prepares to try.
     *
     * @param mostNanos no new try begins after so long
     * @param observer  told of every try
     */
    Ramp(NanoClock clock, long mostNanos, Consumer<Try> observer) {
        this.clock = clock;
        this.mostNanos = mostNanos;
        this.observer = observer;
    }

    /**
     * Tries numbers. One that fails is tried once more before that is believed: a machine hiccups.
     *
     * @param first the first to try; if it does not hold, 0 is returned
     * @param most  none above it is tried
     * @param trial why a number does not hold, empty if it does
     * @return the largest that held, to a sixteenth
     */
    long largest(long first, long most, LongFunction<String> trial) {
        long endNanos = clock.nanoTime() + mostNanos;
        long holds = 0;
        long fails = most + 1;
        long next = first;
        while (next > holds && next < fails && (holds == 0 || clock.nanoTime() - endNanos < 0)) {
            if (holdsInTwo(next, trial)) {
                holds = next;
            } else {
                fails = next;
                if (holds == 0) {
                    return 0;
                }
            }
            boolean doubling = fails > most;
            next = doubling ? Math.min(most, 2 * holds) : fails - holds > holds / PARTS ? (holds + fails) >>> 1 : holds;
        }
        return holds;
    }

    private boolean holdsInTwo(long number, LongFunction<String> trial) {
        for (int i = 0; i < TRIES; i++) {
            Try one = new Try(number, trial.apply(number));
            observer.accept(one);
            if (one.holds()) {
                return true;
            }
        }
        return false;
    }
}
