package dev.escapement.bench.stress.scenario;

import dev.escapement.physics.replay.StateHash;

/**
 * What an event says of itself, packed into an application event's code, x and y without loss: its producer, its number among all
 * that this producer offered, and its place among those of them that were accepted. Where the places that arrive have a gap, an
 * event was lost; where only the numbers have one, an offer was refused.
 *
 * <p>The code holds the producer and the highest 12 bits of both counts; x and y hold the other 24, which a {@code float} can.
 */
final class EventTag {

    /** How many producers can be told apart. */
    static final int PRODUCERS = 1 << 8;

    /** How many numbers, and places, there are: enough for 19 hours at a million a second. */
    static final long NUMBERS = 1L << 36;

    private static final int LOW_BITS = 24;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;
    private static final int HIGH_MASK = (1 << 12) - 1;
    private static final int NUMBER_SHIFT = 8;
    private static final int PLACE_SHIFT = 20;

    private EventTag() {}

    static int code(int producer, long number, long place) {
        return producer | (int) (number >>> LOW_BITS) << NUMBER_SHIFT | (int) (place >>> LOW_BITS) << PLACE_SHIFT;
    }

    static float x(long number) {
        return number & LOW_MASK;
    }

    static float y(long place) {
        return place & LOW_MASK;
    }

    static int producer(int code) {
        return code & (PRODUCERS - 1);
    }

    /** The number among all that the producer offered. */
    static long number(int code, float x) {
        return whole(code >>> NUMBER_SHIFT, x);
    }

    /** The place among those that were accepted. */
    static long place(int code, float y) {
        return whole(code >>> PLACE_SHIFT, y);
    }

    /** What the sums of all events are compared by: equal where every event arrived with what was offered, in any order. */
    static long hash(long timeNanos, long number, long place) {
        return StateHash.finish(
                StateHash.add(StateHash.add(StateHash.add(StateHash.start(), timeNanos), number), place));
    }

    private static long whole(int high, float low) {
        return (long) (high & HIGH_MASK) << LOW_BITS | (long) low;
    }
}
