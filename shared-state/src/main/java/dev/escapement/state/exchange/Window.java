package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Objects;

/**
 * The latest K consecutive snapshots, and the timeline as it was when they were published.
 *
 * <p><b>Threads.</b> Belongs to a reader, which always returns the same object. Its content changes only when that reader acquires; keep no
 * reference to a snapshot or timeline beyond that.
 *
 * <p>It is a view of a word, which has three numbers: the newest snapshot, with which the others and the publish delays are found; a
 * timeline; and the lower bits of the newest tick. So a reader that takes the word has the whole window and copies nothing.
 *
 * @see SnapshotReader#window
 */
public final class Window {

    /** The word of no window. */
    static final long NONE = 0;

    private static final int BITS = 6;
    private static final int MASK = (1 << BITS) - 1;

    /** Set in all words of windows, so that none is {@link #NONE}. */
    private static final int A_WINDOW = 1 << (2 * BITS);

    /**
     * The remaining bits are the lower bits of the tick. {@link #unseenTicks()} compares them with those of the previous window, whose
     * snapshots were given back.
     */
    private static final int TICK_SHIFT = 2 * BITS + 1;

    /** The number of snapshots that six bits can distinguish. */
    static final int MAX_SNAPSHOTS = 1 << BITS;

    /** The number of snapshots that fit one long. */
    static final int MAX_SIZE = Long.SIZE / BITS;

    // The places in a row of ReaderSlot.windows. A row is as long as a cache line: the row being filled mostly shares
    // no line with the latest one, which readers read.
    static final int SNAPSHOTS = 0;
    static final int SMALLEST_DELAY = 1;
    static final int LARGEST_DELAY = 2;
    static final int MEAN_DELAY = 3;
    static final int ROW = 8;

    private final ReaderSlot slot;

    // Plain: only the reader's thread uses them.
    long word = NONE;

    /** The word of the window before this one; {@link #NONE} if this is the first. */
    long seen = NONE;

    Window(ReaderSlot slot) {
        this.slot = slot;
    }

    static long word(long tick, int newest, int timeline) {
        return (tick << TICK_SHIFT) | A_WINDOW | (timeline << BITS) | newest;
    }

    /** The number of the newest snapshot in a word. */
    private static int newest(long word) {
        return (int) word & MASK;
    }

    /** The number of the timeline in a word. */
    static int timeline(long word) {
        return (int) (word >>> BITS) & MASK;
    }

    /**
     * Adds a newest snapshot to K numbers of six bits each, the newest in the lowest bits, and drops the oldest one of a window that was
     * full. The writer stores them as one long: storing references would cost a garbage collector barrier for each.
     */
    static long shiftIn(long packed, int newest, int size) {
        long all = -1L >>> (Long.SIZE - BITS * size);
        return ((packed << BITS) | newest) & all;
    }

    /** The number of the snapshot that is {@code age} ticks older than the newest one. */
    static int numberAtAge(long packed, int age) {
        return (int) (packed >>> (BITS * age)) & MASK;
    }

    /** {@return K, how many snapshots every window of an exchange holds} */
    public int size() {
        return slot.windowSize;
    }

    /**
     * {@return the snapshot of tick {@link #oldestTick()} + {@code index}}
     *
     * @param index 0 for the oldest, {@link #size()} - 1 for the newest
     * @throws IndexOutOfBoundsException if there is no such index
     */
    public Snapshot snapshot(int index) {
        int age = size() - 1 - Objects.checkIndex(index, size());
        return slot.snapshots[numberAtAge(row(SNAPSHOTS), age)];
    }

    /** {@return the newest snapshot, that of {@link #newestTick()}} */
    public Snapshot newest() {
        return slot.snapshots[newest(word)];
    }

    /** {@return the newest tick n, where the window holds n - K + 1 .. n} */
    public long newestTick() {
        return newest().tick();
    }

    /** {@return the oldest tick, n - K + 1} */
    public long oldestTick() {
        return newestTick() - size() + 1;
    }

    /** {@return the timeline as it was when this window was published, for reading only} */
    public Timeline timeline() {
        return slot.timelines[timeline(word)];
    }

    /** {@return when this window was published, an instant of the clock} */
    public long publishedNanos() {
        return newest().publishedNanos();
    }

    /**
     * {@return how many ticks this reader has not seen: those after the newest tick of its previous window and before the newest of this
     * one; 0 for the first window}
     */
    public long unseenTicks() {
        long ticksBetween = ((word >> TICK_SHIFT) - (seen >> TICK_SHIFT)) << TICK_SHIFT >> TICK_SHIFT; // its lower bits
        // 0 if the same ticks come with a new timeline
        return seen == NONE ? 0 : Math.max(0, ticksBetween - 1);
    }

    /**
     * {@return the smallest publish delay of the last 10 s, in nanoseconds; {@link Long#MAX_VALUE} if none is known} It is the time from a
     * tick's due time, or from the end of a pause or skip at that tick, until its snapshot was published. All ticks count, whether or not
     * this reader has seen them.
     */
    public long smallestDelayNanos() {
        return row(SMALLEST_DELAY);
    }

    /**
     * {@return the largest publish delay of the last 10 s, nanoseconds; {@link Long#MIN_VALUE} if none is known}
     *
     * @see #smallestDelayNanos()
     */
    public long largestDelayNanos() {
        return row(LARGEST_DELAY);
    }

    /**
     * {@return the mean publish delay, a moving average over about 128 ticks, nanoseconds; 0 if none is known} If all delays of the
     * last ten ticks are more than an eighth smaller or larger, it becomes the nearest of them.
     *
     * @see #smallestDelayNanos()
     */
    public long meanDelayNanos() {
        return row(MEAN_DELAY);
    }

    private long row(int place) {
        return slot.windows[newest(word) * ROW + place];
    }

    @Override
    public String toString() {
        return "Window[ticks " + oldestTick() + " to " + newestTick() + "]";
    }
}
