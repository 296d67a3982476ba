package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Broken on purpose: the reader reads and then stores, instead of exchanging. A window that the writer puts in between is
 * lost, and the writer takes it for the one that the reader holds.
 */
final class ReaderSlot extends ReaderPlace {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    ReaderSlot(Snapshot[] snapshots, Timeline[] timelines, long[] windows, int windowSize, @Nullable NanoClock clock) {
        super(snapshots, timelines, windows, windowSize, clock);
    }

    boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    long put(long window) {
        return (long) CELLS.getAndSet(padded, MIDDLE, window);
    }

    long take() {
        long word = (long) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, Window.NONE);
        return word;
    }
}
