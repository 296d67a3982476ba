package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic 64-bit word through which the writer hands windows to one reader. Its value stands for the latest {@link Window}, or is
 * {@link Window#NONE} once the reader has taken that window.
 *
 * <p>Padded against false sharing: the word is the middle element of an array, with 128 bytes on either side because processors fetch cache
 * lines in pairs. Padding fields would not do, because the JVM may reorder fields.
 */
class WindowWord {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    /**
     * Returns whether the word has a window that the reader has not taken. Opaque is enough, because {@link #take} follows and acquires. By
     * coherence, a thread that has seen a value of this word never reads an earlier one.
     */
    final boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    /**
     * Exchanges the word, for the writer. Releases the content of the window to the reader's {@link #take}; without that, the reader could
     * see the window before its poses. Acquires from the reader's {@link #take}: the reader's last reads of its previous window happen
     * before all later writes of the writer; without that, those reads could see these writes.
     *
     * @return the previous word, or {@link Window#NONE} if the reader has taken the previous window
     */
    final long put(long window) {
        return (long) CELLS.getAndSet(padded, MIDDLE, window);
    }

    /**
     * Takes a fresh word, for the reader. Acquires from and releases to the writer's {@link #put}, which has the reasons.
     *
     * @return the word, which the reader holds from now on
     */
    final long take() {
        return (long) CELLS.getAndSet(padded, MIDDLE, Window.NONE);
    }
}
