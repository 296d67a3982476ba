package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one word that the writer and a reader exchange: the number of a window, and whether the writer put it there.
 *
 * <p>It stands alone on its cache lines, in the middle of an array that is otherwise unused: 128 bytes on either side,
 * because processors fetch lines in pairs. An array, because within an object the JVM may move fields into gaps.
 */
final class ExchangeWord {

    /** Set when the writer put the window there and the reader has not taken it yet. */
    private static final int FRESH = 4;

    private static final int WINDOW_MASK = 3;
    private static final int MIDDLE = 128 / Integer.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] padded = new int[2 * MIDDLE + 1];

    ExchangeWord(int initialWindow) {
        padded[MIDDLE] = initialWindow; // seen by other threads with this object, which is handed to them safely
    }

    /**
     * Asks whether there is something to take. Opaque is enough: it orders nothing, because nothing is read on the
     * strength of it; {@link #take} follows and acquires. Coherence alone makes it fresh: having once seen a later
     * value of this word, no thread reads an earlier one.
     */
    boolean isFresh() {
        return ((int) CELLS.getOpaque(padded, MIDDLE) & FRESH) != 0;
    }

    /**
     * The writer's exchange. Releases the window it puts, and the snapshots that are in it, to the reader's {@link #take}.
     * Acquires the reader's last reads of the window that comes back and of the snapshots in it, which the reader
     * released by its {@link #take}: what the writer writes there from now on cannot be seen by reads that came before.
     *
     * @return what stood here: the window, the writer's from now on, and whether it was fresh
     */
    int put(int window) {
        return (int) CELLS.getAndSet(padded, MIDDLE, window | FRESH);
    }

    /**
     * The reader's exchange. Acquires what the writer released by {@link #put}; releases the reader's reads of the window
     * it gives back, and of the snapshots in it, to the writer's next {@link #put}.
     *
     * @return the window that stood here, the reader's from now on
     */
    int take(int window) {
        return window((int) CELLS.getAndSet(padded, MIDDLE, window));
    }

    /** The window in what {@link #put} returned. */
    static int window(int word) {
        return word & WINDOW_MASK;
    }

    /** Whether the window in what {@link #put} returned had not been taken. */
    static boolean wasFresh(int word) {
        return (word & FRESH) != 0;
    }
}
