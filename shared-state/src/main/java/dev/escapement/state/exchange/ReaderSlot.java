package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The part of one exchange that serves one {@link ReaderSeat}: the atomic word through which the writer hands windows to the reader, and
 * what the words of {@link Window}s refer to, which all slots of an exchange share.
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

    /**
     * The word of the window that the last reader held when it detached. Plain: only the seat's reader uses it, and the seat orders one
     * reader after the other.
     */
    long left = Window.NONE;

    // Plain: set before another thread can find this slot; the seat, or the publication of the exchange, releases it.
    private ReaderSeat seat = new ReaderSeat(this);
    private int order;

    ReaderSlot(Snapshot[] snapshots, Timeline[] timelines, long[] windows, int windowSize, @Nullable NanoClock clock) {
        this.snapshots = snapshots;
        this.timelines = timelines;
        this.windows = windows;
        this.windowSize = windowSize;
        this.clock = clock;
    }

    /**
     * Whether the word has a window that the reader has not taken. Opaque is enough: where a reader asks, {@link #take} follows
     * and acquires; where {@link ReaderSeat#moveTo} asks, the last publish happens before, and nothing is read through the word. Coherence
     * makes it fresh: a thread that has seen a value of this word never reads an earlier one.
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

    ReaderSeat seat() {
        return seat;
    }

    /** Joins the seat of the previous exchange's slot, as the next in order. Call it before another thread can find this slot. */
    void follow(ReaderSlot last) {
        seat = last.seat;
        order = last.order + 1;
    }

    /** Whether this slot follows another one. */
    boolean isSuccessor() {
        return order > 0;
    }

    /** Whether this slot is of a later exchange than another one of the same seat. */
    boolean isAfter(ReaderSlot other) {
        return order > other.order;
    }
}
