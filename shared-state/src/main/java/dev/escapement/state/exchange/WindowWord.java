package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic word through which the writer hands windows to one reader: the word of the latest {@link Window}, or {@link Window#NONE} if the
 * reader has taken it.
 *
 * <p>Padded against false sharing: the word is the middle element of an array that is otherwise unused, with 128 bytes on either side
 * because processors fetch cache lines in pairs. Padding fields would not do, because the JVM may reorder fields.
 */
class WindowWord {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    /**
     * Whether the word has a window that the reader has not taken. Opaque is enough: {@link #take} follows and acquires. Coherence makes it
     * fresh: a thread that has seen a value of this word never reads an earlier one.
     */
    final boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    /**
     * The writer's exchange. Releases what the word refers to, to the reader's {@link #take}. Acquires from the reader's {@link #take}: the
     * reader's last reads of the window that it held before happen before all that the writer writes from now on.
     *
     * @return the previous word, or {@link Window#NONE} if the reader has taken that
     */
    final long put(long window) {
        return (long) CELLS.getAndSet(padded, MIDDLE, window);
    }

    /**
     * The reader's exchange, where the word is fresh. Acquires what the writer's {@link #put} released. Releases the reader's reads of the
     * window it held before, to the writer's next {@link #put}.
     *
     * @return the word, which the reader has from now on
     */
    final long take() {
        return (long) CELLS.getAndSet(padded, MIDDLE, Window.NONE);
    }
}
