package dev.escapement.state.capture;

import java.util.Arrays;

/** A set of slots, one bit for each. */
final class SlotSet {

    private long[] words;

    SlotSet(int preallocatedBodies) {
        words = new long[(preallocatedBodies >>> 6) + 1];
    }

    /** Makes room for a number of slots and empties the set. */
    void clear(int slots) {
        grow(slots);
        Arrays.fill(words, 0, (slots >>> 6) + 1, 0);
    }

    void grow(int slots) {
        int needed = (slots >>> 6) + 1;
        if (needed > words.length) {
            words = Arrays.copyOf(words, Math.max(needed, 2 * words.length));
        }
    }

    boolean contains(int slot) {
        return (words[slot >>> 6] & (1L << slot)) != 0;
    }

    void add(int slot) {
        words[slot >>> 6] |= 1L << slot;
    }

    void addAll(int first, int count) {
        for (int slot = first; slot < first + count; slot++) {
            add(slot);
        }
    }

    void remove(int slot) {
        words[slot >>> 6] &= ~(1L << slot);
    }
}
