package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.input.InputEvent;

/**
 * Numbers its input events, those that are accepted one after the other. One thread at a time, which whoever wants its count has seen end.
 *
 * @see InputLedger
 */
public final class NumberedProducer {

    /** A float can hold this many bits, and an event has two. */
    private static final int BITS = 24;

    private static final int MASK = (1 << BITS) - 1;

    /** Where an event goes. */
    @FunctionalInterface
    public interface Way {

        /** Offers an application event, and tells whether it was accepted. */
        boolean offer(long timeNanos, int code, float x, float y);
    }

    private final Trial trial;
    private final int index;
    private long accepted;

    NumberedProducer(Trial trial, int index) {
        this.trial = trial;
        this.index = index;
    }

    /** Offers the next event, stamped now; if it is refused, its number goes to the one after it. */
    public boolean offer(Way way) {
        long number = trial.isPlanted(Promise.INPUT_ORDER)
                ? accepted ^ 1 // neighbours change places
                : trial.isPlanted(Promise.INPUT_ONCE) ? 2 * accepted : accepted; // every other one is lost
        boolean taken = way.offer(System.nanoTime(), index, (float) (number & MASK), (float) (number >>> BITS & MASK));
        accepted += taken ? 1 : 0;
        return taken;
    }

    /** How many were accepted so far. */
    public long accepted() {
        return accepted;
    }

    static int index(InputEvent event) {
        return event.code();
    }

    static long number(InputEvent event) {
        return (long) event.y() << BITS | (long) event.x();
    }
}
