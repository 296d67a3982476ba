package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place of one reader: its word, the reader that has the slot, and the arrays that words refer to, which all slots of an exchange
 * share. Slots outlive their readers: a reader that detaches leaves the window it held here, and the next one takes it over.
 */
final class ReaderSlot extends WindowWord {

    // What a window refers to. Written with plain stores while no reader can see it; put releases it to take.
    final Snapshot[] snapshots;
    final Timeline[] timelines;

    /** For each snapshot a row of the window of which it is the newest: {@link Window#ROW}. */
    final long[] windows;

    final int windowSize;

    /** The clock that due times refer to; null if the exchange has none. */
    final @Nullable NanoClock clock;

    /** The word of the window that the last reader held when it detached. Plain: {@link #reader} orders one reader after the other. */
    long lastWord = Window.NONE;

    /**
     * The reader that has this slot, null if it is free. Volatile accesses: {@link #release} releases what the reader left here, and
     * {@link #tryTake} acquires that.
     */
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    ReaderSlot(Snapshot[] snapshots, Timeline[] timelines, long[] windows, int windowSize, @Nullable NanoClock clock) {
        this.snapshots = snapshots;
        this.timelines = timelines;
        this.windows = windows;
        this.windowSize = windowSize;
        this.clock = clock;
    }

    /**
     * Any thread: takes the slot if it is free. Acquires what the previous reader's {@link #release} released. If its reader belongs to a
     * dead thread, it is closed here, because that thread cannot close it.
     */
    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    /** The slot's reader only, once. It must not touch this slot afterwards. */
    void release() {
        reader.set(null);
    }

    /** Who has the slot, for messages. Any thread; empty if it is free by now. */
    Optional<String> holder() {
        return Optional.ofNullable(reader.get()).map(SnapshotReader::holder);
    }
}
