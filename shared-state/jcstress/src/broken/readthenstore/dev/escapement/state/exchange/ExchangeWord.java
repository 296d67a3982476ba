package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Broken on purpose: the reader reads and then stores, instead of exchanging. A window that the writer puts in between is
 * lost, and the one the reader read is the writer's too.
 */
final class ExchangeWord {

    private static final int FRESH = 4;
    private static final int WINDOW_MASK = 3;
    private static final int MIDDLE = 128 / Integer.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] padded = new int[2 * MIDDLE + 1];

    ExchangeWord(int initialWindow) {
        padded[MIDDLE] = initialWindow;
    }

    boolean isFresh() {
        return ((int) CELLS.getOpaque(padded, MIDDLE) & FRESH) != 0;
    }

    int put(int window) {
        return (int) CELLS.getAndSet(padded, MIDDLE, window | FRESH);
    }

    int take(int window) {
        int word = (int) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, window);
        return window(word);
    }

    static int window(int word) {
        return word & WINDOW_MASK;
    }

    static boolean wasFresh(int word) {
        return (word & FRESH) != 0;
    }
}
