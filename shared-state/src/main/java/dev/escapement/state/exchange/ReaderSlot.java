package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The slot of one reader: the 64-bit word that hands it windows, and the arrays to which words refer. All slots of an exchange share the
 * arrays.
 *
 * <p>A slot outlives its readers: a reader that detaches leaves the window it held here, and the next reader takes it over.
 */
final class ReaderSlot extends WindowWord {

    // The content of windows. The writer stores it plainly while no reader can see it; put releases it to take.
    final Snapshot[] snapshots;
    final Timeline[] timelines;

    /** One row of longs per snapshot, for the window whose newest snapshot it is. {@link Window} has the layout. */
    final long[] windows;

    final int windowSize;

    final @Nullable NanoClock clock;

    /**
     * The word of the window that the last reader held when it detached. Plain is enough, because {@link #reader} orders the accesses of
     * one reader before those of the next.
     */
    long lastWord = Window.NONE;

    /**
     * The reader of this slot, null if the slot is free. Volatile accesses: {@link #release} releases {@link #lastWord}, and
     * {@link #tryTake} acquires it; else the next reader could begin with an old window, or none.
     */
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    ReaderSlot(Snapshot[] snapshots, Timeline[] timelines, long[] windows, int windowSize, @Nullable NanoClock clock) {
        this.snapshots = snapshots;
        this.timelines = timelines;
        this.windows = windows;
        this.windowSize = windowSize;
        this.clock = clock;
    }

    /** Takes the slot if it is free. Closes a reader of a dead thread, because that thread cannot close it. Any thread. */
    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    /** Frees the slot. The slot's reader calls it once, and does not use the slot afterwards. */
    void release() {
        reader.set(null);
    }

    Optional<String> holder() {
        return Optional.ofNullable(reader.get()).map(SnapshotReader::holder);
    }
}
