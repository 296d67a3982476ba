package dev.escapement.bench.stress.scenario;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.Supplier;

/**
 * Offers input events that say of themselves which they are, and counts what it was told and what arrives: an application event's code and
 * x hold, without loss, the producer and the event's place among all of its that were accepted; y follows from its time and its place.
 * Where the places that arrive have a gap, an event was lost. The place of an event that was refused goes to the next.
 *
 * <p>One thread at a time offers, another one takes; a thread that has seen them end may read the counts. Allocates nothing.
 */
final class NumberedProducer {

    /** How many producers can be distinguished. */
    static final int PRODUCERS = 1 << 8;

    private static final int PRODUCER_BITS = 8;

    /** As many as a {@code float} holds; the 24 others of a place are in the code. */
    private static final int LOW_BITS = 24;

    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    private final int index;
    private final boolean keepsStamps;
    private final Supplier<InputFault> fault;

    /** How many events it has offered. */
    long offered;

    /** How many of them were accepted. */
    long accepted;

    /** How many have arrived; how many others passed that never came, came again, or came after later ones. */
    long arrived;

    long lost;
    long doubled;
    long reordered;
    private long nextPlace;

    /** The producer with this index, below {@link #PRODUCERS}, whether its stamps arrive as they are, and the fault that is planted now. */
    NumberedProducer(int index, boolean keepsStamps, Supplier<InputFault> fault) {
        this.index = index;
        this.keepsStamps = keepsStamps;
        this.fault = fault;
    }

    /** Offers the next event, stamped now. */
    void offer(InputRing ring) {
        offer(System.nanoTime(), ring);
    }

    /** Offers the next event, stamped as given. */
    void offer(long timeNanos, InputRing ring) {
        InputFault planted = fault.get();
        long place = planted.place(accepted);
        int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
        float x = place & LOW_MASK;
        boolean taken = ring.offer(timeNanos, InputKind.APPLICATION, code, x, y(timeNanos, place));
        offered++;
        accepted += taken && !planted.denies(offered) ? 1 : 0;
    }

    /** The event of this place has arrived. */
    void arrive(long place) {
        arrived++;
        if (place >= nextPlace) {
            lost += place - nextPlace;
            nextPlace = place + 1;
        } else if (place == nextPlace - 1) {
            doubled++;
        } else { // it was passed over, or comes again much later
            lost--;
            reordered++;
        }
    }

    static int producer(int code) {
        return code & (PRODUCERS - 1);
    }

    static long place(int code, float x) {
        return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
    }

    float y(long timeNanos, long place) {
        return ((keepsStamps ? timeNanos : 0) ^ 31 * place) & LOW_MASK;
    }
}
