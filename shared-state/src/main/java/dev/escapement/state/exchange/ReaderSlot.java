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
 * The place of one reader: which reader has it, the atomic word through which the writer hands windows to that reader, and what the words of
 * {@link Window}s refer to, which all slots of an exchange share.
 *
 * <p>The word is that of the latest window, or {@link Window#NONE} if the reader has taken it. Slots outlive the readers that use them: a
 * reader that detaches leaves the window it held here, and the next one takes it over.
 *
 * <p>Padded against false sharing: the word is the middle element of an array that is otherwise unused, with 128 bytes on either side
 * because processors fetch cache lines in pairs. Padding fields would not do, because the JVM may reorder fields.
 */
final class ReaderSlot {

    private static final int MIDDLE = 128 / Long.BYTES;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] padded = new long[2 * MIDDLE + 1];

    // What a window refers to. Written with plain stores while no reader can see it; put releases it to take.
    final Snapshot[] snapshots;
    final Timeline[] timelines;

    /** For each snapshot a row of the window of which it is the newest: {@link Window#ROW}. */
    final long[] windows;

    final int windowSize;

    /** The clock that due times refer to; null if the exchange has none. */
    final @Nullable NanoClock clock;

    /** The word of the window that the last reader held when it detached. Plain: {@link #reader} orders one reader after the other. */
    long left = Window.NONE;

    /**
     * The reader that has this slot, null if it is free. Volatile accesses: giving it up releases what the reader left here, and taking it
     * acquires that.
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
     * Any thread. Acquires what the previous reader's {@link #giveUp} released. If the slot's reader belongs to a dead thread, it is closed
     * here, because that thread cannot close it.
     */
    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    /** The slot's reader only, once. It must not touch this slot afterwards. */
    void giveUp() {
        reader.set(null);
    }

    /** Who has the slot, for messages. Any thread; empty if it is free by now. */
    Optional<String> holder() {
        return Optional.ofNullable(reader.get()).map(SnapshotReader::holder);
    }

    /**
     * Whether the word has a window that the reader has not taken. Opaque is enough: {@link #take} follows and acquires. Coherence makes it
     * fresh: a thread that has seen a value of this word never reads an earlier one.
     */
    boolean isFresh() {
        return (long) CELLS.getOpaque(padded, MIDDLE) != Window.NONE;
    }

    /**
     * The writer's exchange. Releases what the word refers to, to the reader's {@link #take}. Acquires from the reader's {@link #take}: the
     * reader's last reads of the window that it held before happen before all that the writer writes from now on.
     *
     * @return the previous word, or {@link Window#NONE} if the reader has taken that
     */
    long put(long window) {
        return (long) CELLS.getAndSet(padded, MIDDLE, window);
    }

    /**
     * The reader's exchange, where the word is fresh. Acquires what the writer's {@link #put} released. Releases the reader's reads of the
     * window it held before, to the writer's next {@link #put}.
     *
     * @return the word, which the reader has from now on
     */
    long take() {
        return (long) CELLS.getAndSet(padded, MIDDLE, Window.NONE);
    }
}
