package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Objects;

/**
 * The latest K consecutive snapshots, and the timeline at their publish.
 *
 * <p><b>Threads.</b> Belongs to a reader, which always returns the same object. Its content changes only when that reader acquires; keep no
 * reference to a snapshot or timeline beyond that.
 *
 * <p>A window is a view of a 64-bit word. The word has the number of the newest snapshot, which is also the number of a row of an array
 * with the rest:
 *
 * <pre>
 *   word   bits  5..0   newest snapshot          row   [0]     K snapshots, 6 bits each, the newest in bits 5..0
 *          bits 11..6   timeline                       [1]     smallest publish delay
 *          bit  12      1; no window is all zeros      [2]     largest publish delay
 *                                                      [3]     mean publish delay
 *                                                      [4..7]  unused
 * </pre>
 *
 * So a reader that takes the word has the whole window and copies nothing.
 *
 * @see SnapshotReader#window
 */
public final class Window {

    static final long NONE = 0;

    private static final int BITS = 6;
    private static final int MASK = (1 << BITS) - 1;
    private static final int A_WINDOW = 1 << (2 * BITS);

    static final int MAX_SNAPSHOTS = 1 << BITS;

    /** The largest K: a long has room for this many snapshot numbers of six bits. */
    static final int MAX_SIZE = Long.SIZE / BITS;

    static final int SNAPSHOTS = 0;
    static final int SMALLEST_DELAY = 1;
    static final int LARGEST_DELAY = 2;
    static final int MEAN_DELAY = 3;

    /**
     * The length of a row in longs, one cache line. So the row that the writer fills shares no cache line with the row that readers use,
     * unless the two rows are adjacent.
     */
    static final int ROW = 8;

    private final ReaderSlot slot;

    /** Plain: only the reader's thread uses it. */
    long word = NONE;

    Window(ReaderSlot slot) {
        this.slot = slot;
    }

    static long word(int newest, int timeline) {
        return A_WINDOW | (timeline << BITS) | newest;
    }

    private static int newest(long word) {
        return (int) word & MASK;
    }

    static int timeline(long word) {
        return (int) (word >>> BITS) & MASK;
    }

    /**
     * Adds a newest snapshot to the packed numbers, and drops the oldest one of a full window. A window stores numbers, because each stored
     * reference would cost a barrier of the garbage collector.
     */
    static long shiftIn(long packed, int newest, int size) {
        long all = -1L >>> (Long.SIZE - BITS * size);
        return ((packed << BITS) | newest) & all;
    }

    static int numberAtAge(long packed, int age) {
        return (int) (packed >>> (BITS * age)) & MASK;
    }

    /** {@return R, the maximum of readers of the exchange} */
    int maxReaders() {
        return (slot.snapshots.length - 1) / size() - 1;
    }

    /** {@return K, the number of snapshots in every window of an exchange} */
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

    /** {@return the newest snapshot, whose tick is {@link #newestTick()}} */
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

    /** {@return the timeline at the publish of this window, for reading only} */
    public Timeline timeline() {
        return slot.timelines[timeline(word)];
    }

    /**
     * {@return the smallest publish delay of the last 10 s, nanoseconds; {@link Long#MAX_VALUE} if none is known} The delay lasts from a
     * tick's due time, or from the end of a pause or skip at that tick, until its publish. Ticks that this reader has skipped count, too.
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
     * {@return the mean publish delay, a moving average over about 128 ticks, nanoseconds; 0 if none is known} If the delays of the last
     * ten ticks are all smaller or all larger than the mean, each by more than an eighth of the larger of the two, the nearest of them
     * becomes the mean.
     *
     * @see #smallestDelayNanos()
     */
    public long meanDelayNanos() {
        return row(MEAN_DELAY);
    }

    private long row(int column) {
        return slot.windows[newest(word) * ROW + column];
    }

    @Override
    public String toString() {
        return "Window[ticks " + oldestTick() + " to " + newestTick() + "]";
    }
}
