package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A broken {@code WindowWord}: put reads and then stores, instead of exchanging. It returns the window that it read, but the reader may
 * have taken that window in between.
 */
class WindowWord {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    final boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    final long put(long window) {
        long word = (long) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, window);
        return word;
    }

    final long take() {
        return (long) CELLS.getAndSet(padded, MIDDLE, Window.NONE);
    }
}
