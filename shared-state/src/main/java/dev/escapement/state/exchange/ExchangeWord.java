package dev.escapement.state.exchange;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The one word that the writer and a reader exchange: the number of a window slot, and whether the writer put it there.
 *
 * <p>It stands alone on its cache lines, in the middle of an array that is otherwise unused: 128 bytes on either side,
 * because processors fetch lines in pairs.
 */
final class ExchangeWord {

    /** Set when the writer put the slot there and the reader has not taken it yet. */
    private static final int FRESH = 4;

    private static final int SLOT_MASK = 3;
    private static final int PADDING = 128 / Integer.BYTES;

    private final AtomicIntegerArray padded = new AtomicIntegerArray(2 * PADDING + 1);

    ExchangeWord(int initialSlot) {
        padded.setPlain(PADDING, initialSlot);
    }

    /**
     * Asks whether there is something to take. Opaque is enough: it orders nothing, because nothing is read on the
     * strength of it; {@link #take} follows and acquires. Coherence alone makes it fresh: having once seen a later
     * value of this word, no thread reads an earlier one.
     */
    boolean isFresh() {
        return (padded.getOpaque(PADDING) & FRESH) != 0;
    }

    /**
     * The writer's exchange. Releases the window in {@code slot} and the snapshots it refers to, to the reader's
     * {@link #take}; acquires the reader's last reads of the slot that comes back, which the reader released by its
     * {@link #take}, so that writing there cannot be seen by reads that came before.
     *
     * @return the slot that stood here, the writer's from now on
     */
    int put(int slot) {
        return padded.getAndSet(PADDING, slot | FRESH) & SLOT_MASK;
    }

    /**
     * The reader's exchange. Acquires what the writer released by {@link #put}; releases the reader's reads of the slot
     * it gives back, to the writer's next {@link #put}.
     *
     * @return the slot that stood here, the reader's from now on
     */
    int take(int slot) {
        return padded.getAndSet(PADDING, slot) & SLOT_MASK;
    }
}
