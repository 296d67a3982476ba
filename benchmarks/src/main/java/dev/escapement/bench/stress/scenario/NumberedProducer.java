package dev.escapement.bench.stress.scenario;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.function.LongUnaryOperator;

/**
 * Numbers its input events as {@link EventTag} says, and counts what it was told. What was refused is not offered again: its number is
 * passed over, its place goes to the next.
 *
 * <p>One thread at a time; a thread that has seen that one end may read the counts. Allocates nothing.
 *
 * @see InputLedger
 */
final class NumberedProducer {

    private final int index;
    private final LongUnaryOperator placeOf;
    private long offered;
    private long accepted;
    private long hashSum;

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
     * @param index   which one, below {@link EventTag#PRODUCERS}
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
        long number = offered++;
        long place = placeOf.applyAsLong(accepted);
        int code = EventTag.code(index, number, place);
        boolean taken = gate.offer(timeNanos, code, EventTag.x(number), EventTag.y(place));
        if (taken) {
            accepted++;
            hashSum += EventTag.hash(timeNanos, number, place);
        }
        return taken;
    }

    /** How many events it has offered. */
    long offered() {
        return offered;
    }

    /** How many of them were accepted. */
    long accepted() {
        return accepted;
    }

    /** Over what was accepted. */
    long hashSum() {
        return hashSum;
    }
}
