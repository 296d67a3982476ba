package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic word through which the writer and one reader exchange windows: the number of a window, and a bit that says whether the window
 * is fresh.
 *
 * <p>Padded against false sharing: the word is the middle element of an array that is otherwise unused, with 128 bytes on either side
 * because processors fetch cache lines in pairs. Padding fields would not do, because the JVM may reorder fields.
 */
final class ExchangeWord {

    /** Set when the writer put the window there and the reader has not taken it yet. */
    private static final int FRESH = 4;

    private static final int WINDOW_MASK = 3;
    private static final int MIDDLE = 128 / Integer.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] padded = new int[2 * MIDDLE + 1];

    ExchangeWord(int initialWindow) {
        padded[MIDDLE] = initialWindow; // plain: this object is safely published to other threads
    }

    /**
     * Whether the word has a window that the reader has not taken. Opaque is enough: no other read depends on this one, and {@link #take},
     * which follows, acquires. Coherence makes it fresh: a thread that has seen a value of this word never reads an earlier one.
     */
    boolean isFresh() {
        return ((int) CELLS.getOpaque(padded, MIDDLE) & FRESH) != 0;
    }

    /**
     * The writer's exchange. Releases the window it puts, and the snapshots in it, to the reader's {@link #take}. Acquires from the
     * reader's {@link #take} the window that comes back: the reader's last reads of it, and of the snapshots in it, happen before all that
     * the writer writes there from now on.
     *
     * @return the previous word: a window, which the writer owns from now on, and whether it was fresh
     */
    int put(int window) {
        return (int) CELLS.getAndSet(padded, MIDDLE, window | FRESH);
    }

    /**
     * The reader's exchange. Acquires what the writer's {@link #put} released. Releases the reader's reads of the window it gives back, and
     * of the snapshots in it, to the writer's next {@link #put}.
     *
     * @return the window of the previous word, which the reader owns from now on
     */
    int take(int window) {
        return window((int) CELLS.getAndSet(padded, MIDDLE, window));
    }

    /** The window in what {@link #put} returned. */
    static int window(int word) {
        return word & WINDOW_MASK;
    }

    /** Whether the reader had not taken the window in what {@link #put} returned. */
    static boolean wasFresh(int word) {
        return (word & FRESH) != 0;
    }
}
