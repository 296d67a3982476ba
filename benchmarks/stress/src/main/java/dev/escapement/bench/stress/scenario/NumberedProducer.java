package dev.escapement.bench.stress.scenario;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.Supplier;

/**
 * Offers input events that say of themselves which they are, and counts what it was told: an application event's code and x hold, without
 * loss, the producer and the event's place among all of its that were accepted; y follows from its time and its place. Where the places
 * that arrive have a gap, an event was lost. The place of an event that was refused goes to the next.
 *
 * <p>One thread at a time; a thread that has seen that one end may read the counts. Allocates nothing.
 *
 * @see InputLedger
 */
final class NumberedProducer {

    /** How many producers can be told apart. */
    static final int PRODUCERS = 1 << 8;

    private static final int PRODUCER_BITS = 8;

    /** As many as a {@code float} holds; the 24 others of a place are in the code. */
    private static final int LOW_BITS = 24;

    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    private final int index;
    private final Supplier<InputFault> fault;

    /** How many events it has offered. */
    long offered;

    /** How many of them were accepted. */
    long accepted;

    /** The producer with this index, below {@link #PRODUCERS}, and the fault that is planted now. */
    NumberedProducer(int index, Supplier<InputFault> fault) {
        this.index = index;
        this.fault = fault;
    }

    /** Offers the next event, stamped now, and tells whether it was accepted. */
    boolean offer(InputRing ring) {
        return offer(System.nanoTime(), ring);
    }

    /** Offers the next event, stamped as given, and tells whether it was accepted. */
    boolean offer(long timeNanos, InputRing ring) {
        InputFault planted = fault.get();
        long place = planted.place(accepted);
        int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
        boolean taken =
                ring.offer(timeNanos, InputKind.APPLICATION, code, (float) (place & LOW_MASK), y(timeNanos, place));
        offered++;
        boolean told = taken && !planted.denies(offered);
        accepted += told ? 1 : 0;
        return told;
    }

    static int producer(int code) {
        return code & (PRODUCERS - 1);
    }

    static long place(int code, float x) {
        return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
    }

    static float y(long timeNanos, long place) {
        return (timeNanos ^ 31 * place) & LOW_MASK;
    }
}
