package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Broken on purpose: the publish is a release store, not an exchange. What it says it got back is what it read before, and
 * the reader may have taken that window in between.
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
        int word = (int) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, window | FRESH);
        return word;
    }

    int take(int window) {
        return window((int) CELLS.getAndSet(padded, MIDDLE, window));
    }

    static int window(int word) {
        return word & WINDOW_MASK;
    }

    static boolean wasFresh(int word) {
        return (word & FRESH) != 0;
    }
}
