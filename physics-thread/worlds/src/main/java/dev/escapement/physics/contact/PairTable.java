package dev.escapement.physics.contact;

import dev.escapement.physics.restore.StateBuffer;
import java.util.Arrays;

/**
 * A hash table that maps the key of a contact (two sides and two shapes) to a number. The table uses open addressing, because a map of
 * objects would allocate for every contact. One thread; allocates only when there are more entries than ever before.
 */
final class PairTable {

    /** The number of a pair that is not in the table. */
    static final long NONE = Long.MIN_VALUE;

    // One entry at each index, called its place: both sides, both shapes, and the number, which is NONE in a free
    // place.
    private long[] firsts = new long[64];
    private long[] seconds = new long[64];
    private long[] shapes = new long[64];
    private long[] numbers = new long[64];

    private int count;

    PairTable() {
        Arrays.fill(numbers, NONE);
    }

    /** Returns the place of an entry. If the entry is absent, returns the free place where it would be. */
    int find(long first, long second, long shape) {
        int mask = numbers.length - 1;
        int at = home(first, second, shape);
        while (numbers[at] != NONE && !(firsts[at] == first && seconds[at] == second && shapes[at] == shape)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    void put(long first, long second, long shape, long number) {
        int at = find(first, second, shape);
        if (numbers[at] == NONE) {
            if (2 * (count + 1) > numbers.length) {
                grow();
                at = find(first, second, shape);
            }
            firsts[at] = first;
            seconds[at] = second;
            shapes[at] = shape;
            count++;
        }
        numbers[at] = number;
    }

    /** Adds to the number of two sides, which is 0 while they have no entry. Returns the new number. */
    long add(long first, long second, long change) {
        int at = find(first, second, 0);
        long number = change + (numbers[at] == NONE ? 0 : numbers[at]);
        if (number == 0) {
            removeAt(at);
        } else {
            put(first, second, 0, number);
        }
        return number;
    }

    void save(StateBuffer to) {
        to.put((long) count);
        for (int at = 0; at < numbers.length; at++) {
            if (numbers[at] != NONE) {
                to.put(firsts[at]).put(seconds[at]).put(shapes[at]);
            }
        }
    }

    void clear() {
        Arrays.fill(numbers, NONE);
        count = 0;
    }

    int places() {
        return numbers.length;
    }

    long number(int place) {
        return numbers[place];
    }

    void number(int place, long number) {
        numbers[place] = number;
    }

    long first(int place) {
        return firsts[place];
    }

    long second(int place) {
        return seconds[place];
    }

    long shapes(int place) {
        return shapes[place];
    }

    /**
     * Removes the entry at a place. A later entry may move to this place, because a search ends at the first free place and must still find
     * that entry.
     */
    void removeAt(int place) {
        int mask = numbers.length - 1;
        int free = place;
        for (int at = (free + 1) & mask; numbers[at] != NONE; at = (at + 1) & mask) {
            // An entry moves to the free place if its probe sequence passes that place. If the sequence starts after
            // it, the entry must stay, because no search would find it there.
            if (((at - home(firsts[at], seconds[at], shapes[at])) & mask) >= ((at - free) & mask)) {
                firsts[free] = firsts[at];
                seconds[free] = seconds[at];
                shapes[free] = shapes[at];
                numbers[free] = numbers[at];
                free = at;
            }
        }
        numbers[free] = NONE;
        count--;
    }

    /**
     * Returns the place where the search for an entry starts: the highest bits of a product with the golden ratio, because these depend on
     * all bits of the entry.
     */
    private int home(long first, long second, long shape) {
        long mixed = (first * 0x9E3779B97F4A7C15L ^ second) * 0x9E3779B97F4A7C15L ^ shape;
        mixed ^= mixed >>> Integer.SIZE; // folds high bits into low ones: products carry bits only up
        return (int) ((mixed * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(numbers.length) + 1));
    }

    private void grow() {
        long[] oldFirsts = firsts;
        long[] oldSeconds = seconds;
        long[] oldShapes = shapes;
        long[] oldNumbers = numbers;
        int room = 2 * oldNumbers.length;
        firsts = new long[room];
        seconds = new long[room];
        shapes = new long[room];
        numbers = new long[room];
        clear();
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] != NONE) {
                put(oldFirsts[i], oldSeconds[i], oldShapes[i], oldNumbers[i]);
            }
        }
    }
}
