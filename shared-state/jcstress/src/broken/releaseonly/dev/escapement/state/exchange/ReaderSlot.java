package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Broken on purpose: the publish is a release store, not an exchange. What it says it got back is what it read before, and
 * the reader may have taken that window in between.
 */
final class ReaderSlot {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    final Snapshot[] snapshots;
    final Timeline[] timelines;
    final long[] windows;
    final int windowSize;
    final @Nullable NanoClock clock;
    long left = Window.NONE;
    private final long[] padded = new long[2 * MIDDLE + 1];
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    ReaderSlot(Snapshot[] snapshots, Timeline[] timelines, long[] windows, int windowSize, @Nullable NanoClock clock) {
        this.snapshots = snapshots;
        this.timelines = timelines;
        this.windows = windows;
        this.windowSize = windowSize;
        this.clock = clock;
    }

    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    void giveUp() {
        reader.set(null);
    }

    Optional<String> holder() {
        return Optional.ofNullable(reader.get()).map(SnapshotReader::holder);
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
