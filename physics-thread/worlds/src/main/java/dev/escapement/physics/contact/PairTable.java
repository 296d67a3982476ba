package dev.escapement.physics.contact;

import java.util.Arrays;

/**
 * The pairs that touch, and the last step that saw each, or its number among those that began in the step that runs: a hash table of longs
 * with open addressing, because a map of objects would allocate for every contact. One thread; allocates only when there are more pairs than
 * ever before.
 */
final class PairTable {

    private static final long FREE = -1;

    private long[] pairs = new long[64];

    /** Negative where it stands for a number, see {@link #begun}. */
    private long[] lastSeen = new long[64];

    private int count;

    PairTable() {
        Arrays.fill(pairs, FREE);
    }

    /** What stands for the step of a pair that begins in it. */
    static long begun(int number) {
        return ~(long) number;
    }

    /** Notes that a known pair was seen in a step; false if it is not known. */
    boolean see(long pair, long step) {
        int at = find(pair);
        lastSeen[at] = lastSeen[at] < 0 ? lastSeen[at] : step; // in a free place it means nothing
        return pairs[at] != FREE;
    }

    /** The number of a pair among those that began in this step; negative if it did not. */
    int numberOf(long pair) {
        int at = find(pair);
        return pairs[at] == FREE ? -1 : (int) Math.max(-1, ~lastSeen[at]);
    }

    /** Notes that the step is over in which a pair began, whether or not it is still known. */
    void age(long pair, long step) {
        lastSeen[find(pair)] = step;
    }

    /** Adds a pair that is not known. */
    void add(long pair, long step) {
        if (2 * (count + 1) > pairs.length) {
            grow();
        }
        int at = find(pair);
        pairs[at] = pair;
        lastSeen[at] = step;
        count++;
    }

    void clear() {
        Arrays.fill(pairs, FREE);
        count = 0;
    }

    int count() {
        return count;
    }

    int places() {
        return pairs.length;
    }

    /** The pair at a place, negative if there is none. */
    long pairAt(int place) {
        return pairs[place];
    }

    long lastSeenAt(int place) {
        return lastSeen[place];
    }

    /** Removes the pair at a place. Another pair, from a later place of the same run of used places, may move there. */
    void removeAt(int place) {
        int mask = pairs.length - 1;
        int free = place;
        for (int at = (free + 1) & mask; pairs[at] != FREE; at = (at + 1) & mask) {
            // A pair moves to the free place if its probe sequence passes it. One whose sequence starts after it must
            // stay.
            if (((at - home(pairs[at])) & mask) >= ((at - free) & mask)) {
                pairs[free] = pairs[at];
                lastSeen[free] = lastSeen[at];
                free = at;
            }
        }
        pairs[free] = FREE;
        count--;
    }

    /** The place of a pair, or the free place where it belongs. */
    private int find(long pair) {
        int mask = pairs.length - 1;
        int at = home(pair);
        while (pairs[at] != FREE && pairs[at] != pair) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** The first place of a pair's probe sequence: the highest bits of a product with the golden ratio, which depend on all bits. */
    private int home(long pair) {
        return (int) ((pair * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(pairs.length) + 1));
    }

    private void grow() {
        long[] oldPairs = pairs;
        long[] oldLastSeen = lastSeen;
        pairs = new long[2 * oldPairs.length];
        lastSeen = new long[2 * oldPairs.length];
        clear();
        for (int i = 0; i < oldPairs.length; i++) {
            if (oldPairs[i] != FREE) {
                add(oldPairs[i], oldLastSeen[i]);
            }
        }
    }
}
