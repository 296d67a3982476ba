package dev.escapement.state.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A broken {@code WindowWord}: the reader reads and then stores, instead of exchanging. A window that the writer puts in between is lost,
 * but the writer believes that the reader holds it.
 */
class WindowWord {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    final boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    final long put(long window) {
        return (long) CELLS.getAndSet(padded, MIDDLE, window);
    }

    final long take() {
        long word = (long) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, Window.NONE);
        return word;
    }
}
