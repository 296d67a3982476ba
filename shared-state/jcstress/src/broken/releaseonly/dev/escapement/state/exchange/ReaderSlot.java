package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Broken on purpose: the publish is a release store, not an exchange. What it says it got back is what it read before, and
 * the reader may have taken that window in between.
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
        long word = (long) CELLS.getAcquire(padded, MIDDLE);
        CELLS.setRelease(padded, MIDDLE, window);
        return word;
    }

    long take() {
        return (long) CELLS.getAndSet(padded, MIDDLE, Window.NONE);
    }
}
