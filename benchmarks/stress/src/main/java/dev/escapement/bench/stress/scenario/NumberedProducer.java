package dev.escapement.bench.stress.scenario;

import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.LongUnaryOperator;

/**
 * Offers input events that say of themselves which they are, and counts what it was told: an application event's code and x hold, without
 * loss, the producer and the event's place among all of its that were accepted, and y the lowest bits of its number among all that were
 * offered. Where the places that arrive have a gap, an event was lost. What was refused is not offered again: its number is passed over,
 * its place goes to the next.
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
    private final LongUnaryOperator placeOf;

    /** How many events it has offered. */
    long offered;

    /** How many of them were accepted. */
    long accepted;

    /** Over what was accepted. */
    long hashSum;

    /** Where an event goes. */
    @FunctionalInterface
    interface Gate {

        /** Offers an application event, and tells whether it was accepted. */
        boolean offer(long timeNanos, int code, float x, float y);

        /** The gate into a ring. */
        static Gate to(InputRing ring) {
            return (timeNanos, code, x, y) -> ring.offer(timeNanos, InputKind.APPLICATION, code, x, y);
        }
    }

    /**
     * A producer.
     *
     * @param index   which one, below {@link #PRODUCERS}
     * @param placeOf the place that it claims for the next event, of the number that were accepted: the same but where a fault is planted
     */
    NumberedProducer(int index, LongUnaryOperator placeOf) {
        this.index = index;
        this.placeOf = placeOf;
    }

    /** Offers the next event, stamped now, and tells whether it was accepted. */
    boolean offer(Gate gate) {
        return offer(System.nanoTime(), gate);
    }

    /** Offers the next event, stamped as given, and tells whether it was accepted. */
    boolean offer(long timeNanos, Gate gate) {
        long place = placeOf.applyAsLong(accepted);
        float number = x(offered++);
        boolean taken = gate.offer(timeNanos, code(index, place), x(place), number);
        if (taken) {
            accepted++;
            hashSum += hash(timeNanos, place, number);
        }
        return taken;
    }

    static int code(int producer, long place) {
        return producer | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
    }

    static float x(long place) {
        return place & LOW_MASK;
    }

    static int producer(int code) {
        return code & (PRODUCERS - 1);
    }

    static long place(int code, float x) {
        return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
    }

    /** What the sums of all events are compared by: equal where every event arrived with what was offered, in any order. */
    static long hash(long timeNanos, long place, float number) {
        return StateHash.finish(
                StateHash.add(StateHash.add(StateHash.add(StateHash.start(), timeNanos), place), (long) number));
    }
}
