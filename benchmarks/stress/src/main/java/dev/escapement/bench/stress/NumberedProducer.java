package dev.escapement.bench.stress;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.Predicate;

/**
 * Offers numbered input events, and counts accepted and arriving ones. An application event's code and x hold, without loss, the producer
 * and the event's number among its accepted events, its place; y follows from its time and its place. A gap in the arriving places is a
 * lost event. The place of a refused event is used for the next.
 *
 * <p>One thread at a time offers, another one takes; a thread that has joined both may read the counts. Allocates nothing.
 */
final class NumberedProducer {

    private static final int PRODUCER_BITS = 8;
    private static final int PRODUCER_MASK = (1 << PRODUCER_BITS) - 1;

    /** As many bits as a {@code float} holds exactly; the 24 others of a place are in the code. */
    private static final int LOW_BITS = 24;

    private static final int LOW_MASK = (1 << LOW_BITS) - 1;
    private static final long DENIED_EVERY = 8;

    private final int index;
    private final Predicate<Promise> isPlanted;
    long offered;
    long accepted;
    long acceptedKeys;
    long arrived;
    long lost;
    long doubled;
    long reordered;
    private long nextPlace;

    NumberedProducer(int index, Predicate<Promise> isPlanted) {
        this.index = index;
        this.isPlanted = isPlanted;
    }

    /** Offers the next event, stamped now. */
    void offer(InputRing ring) {
        offer(System.nanoTime(), ring);
    }

    void offer(long timeNanos, InputRing ring) {
        long place = place();
        int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
        boolean taken =
                ring.offer(timeNanos, InputKind.APPLICATION, code, (float) (place & LOW_MASK), y(timeNanos, place));
        offered++;
        // Planted: an accepted event is noted as refused, now and then.
        boolean isDenied = offered % DENIED_EVERY == 0 && isPlanted.test(Promise.INPUT_SUMS);
        accepted += taken && !isDenied ? 1 : 0;
    }

    /** Offers another event, which has no number: only the counts of the ring tell of it. */
    void offerKey(InputKind kind, int key, InputRing ring) {
        offered++;
        acceptedKeys += ring.offer(System.nanoTime(), kind, key, 0, 0) ? 1 : 0;
    }

    /** Returns the place of the next event. Planted: the first one is left out, as if it were lost; or neighbours change places. */
    private long place() {
        if (isPlanted.test(Promise.INPUT_ONCE)) {
            return accepted + 1;
        }
        return isPlanted.test(Promise.INPUT_ORDER) ? accepted ^ 1 : accepted;
    }

    /** Notes that the event of this place has arrived. */
    void arrive(long place) {
        arrived++;
        if (place >= nextPlace) {
            lost += place - nextPlace;
            nextPlace = place + 1;
        } else if (place == nextPlace - 1) {
            doubled++;
        } else { // a gap before it, or it arrives again much later
            lost--;
            reordered++;
        }
    }

    static int producer(int code) {
        return code & PRODUCER_MASK;
    }

    static long place(int code, float x) {
        return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
    }

    static float y(long timeNanos, long place) {
        return (timeNanos ^ 31 * place) & LOW_MASK;
    }
}
