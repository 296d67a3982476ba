package dev.escapement.bench.stress.ledger;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.Predicate;

/**
 * Offers numbered input events, and counts accepted and arriving ones: an application event's code and x hold, without loss, the producer
 * and the event's number among its accepted events, its place; y follows from its time and its place. A gap in the arriving places is a
 * lost event. The place of a refused event is used for the next.
 *
 * <p>One thread at a time offers, another one takes; a thread that has joined both may read the counts. Allocates nothing.
 */
public final class NumberedProducer {

    /** At most this many producers can be distinguished. */
    public static final int PRODUCERS = 1 << 8;

    private static final int PRODUCER_BITS = 8;

    /** As many bits as a {@code float} holds exactly; the 24 others of a place are in the code. */
    private static final int LOW_BITS = 24;

    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    private static final long DENIED_EVERY = 8;

    private final int index;
    private final Predicate<Promise> isPlanted;

    /** How many events it has offered. */
    long offered;

    /** How many of them were accepted. */
    long accepted;

    /** How many have arrived; how many others were lost, doubled, or reordered. */
    long arrived;

    long lost;
    long doubled;
    long reordered;
    private long nextPlace;

    /** A producer with an index below {@link #PRODUCERS}; and which promise it breaks on purpose. */
    public NumberedProducer(int index, Predicate<Promise> isPlanted) {
        this.index = index;
        this.isPlanted = isPlanted;
    }

    /** Offers the next event, stamped now. */
    public void offer(InputRing ring) {
        offer(System.nanoTime(), ring);
    }

    /** Offers the next event, stamped as given. */
    public void offer(long timeNanos, InputRing ring) {
        long place = place();
        int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
        float x = place & LOW_MASK;
        boolean taken = ring.offer(timeNanos, InputKind.APPLICATION, code, x, y(timeNanos, place));
        offered++;
        accepted += taken && !isDenied() ? 1 : 0;
    }

    /** How many it has offered, accepted or not. */
    public long offered() {
        return offered;
    }

    /** Of the next event. Planted: the first one is left out, as if it had been lost; or neighbours change places. */
    private long place() {
        return isPlanted.test(Promise.INPUT_ONCE)
                ? accepted + 1
                : isPlanted.test(Promise.INPUT_ORDER) ? accepted ^ 1 : accepted;
    }

    /** Whether the event just offered is noted as refused, also if it was not: planted, now and then. */
    private boolean isDenied() {
        return offered % DENIED_EVERY == 0 && isPlanted.test(Promise.INPUT_SUMS);
    }

    /** The event of this place has arrived. */
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
        return code & (PRODUCERS - 1);
    }

    static long place(int code, float x) {
        return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
    }

    float y(long timeNanos, long place) {
        return (timeNanos ^ 31 * place) & LOW_MASK;
    }
}
