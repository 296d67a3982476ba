package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: call {@link #nextSnapshot()}, write the snapshot in place, then {@link #publish} it.
 *
 * <p>The first thread that uses it owns it; when that thread has died, the next one does. All calls are wait-free and allocate nothing.
 *
 * @see SnapshotExchange#writer
 */
public final class SnapshotWriter extends ThreadConfined {

    private final ExchangeWord[] words;

    /** The windows of all readers, {@value ReaderSlot#WINDOWS} in a row for each. */
    private final Window[] windows;

    private final Snapshot[] snapshots;
    private final int windowSize;
    private final long allSnapshots;

    /** Per reader: the window that the writer owns and fills next. */
    private final int[] spare;

    /**
     * Per reader: a bit for each snapshot that it may hold besides the latest window. It may still have bits of snapshots that the reader
     * has given back; it never lacks one that the reader holds.
     */
    private final long[] heldBits;

    private final PublishDelays delays = new PublishDelays();

    private long latestPacked;
    private long latestBits;
    private long latestTick;
    private int publishedCount;

    /** The snapshot that {@link #nextSnapshot()} returns. Chosen at the end of each publish, when it is known what readers gave back. */
    private int nextIndex;

    SnapshotWriter(ReaderSlot[] slots, Snapshot[] snapshots, int windowSize) {
        words = new ExchangeWord[slots.length];
        windows = new Window[slots.length * ReaderSlot.WINDOWS];
        for (int r = 0; r < slots.length; r++) {
            words[r] = slots[r].word;
            System.arraycopy(slots[r].windows, 0, windows, r * ReaderSlot.WINDOWS, ReaderSlot.WINDOWS);
        }
        this.snapshots = snapshots;
        this.windowSize = windowSize;
        allSnapshots = -1L >>> (Long.SIZE - snapshots.length);
        spare = new int[slots.length];
        Arrays.fill(spare, ReaderSlot.INITIALLY_SPARE);
        heldBits = new long[slots.length];
    }

    @Override
    protected String what() {
        return "snapshot writer";
    }

    /** Lets the next thread that uses this become the writer. For tests that write before their threads start. */
    void handOver() {
        disown();
    }

    /**
     * Returns a snapshot that no reader can see, the same one until {@link #publish}.
     *
     * @return the snapshot to write; it still has the contents of some earlier tick
     * @throws IllegalStateException if another thread is the writer
     */
    public Snapshot nextSnapshot() {
        checkOwner();
        return snapshots[nextIndex];
    }

    /**
     * The snapshot published last, for reading only.
     *
     * @return the newest snapshot, or null before the first
     */
    public @Nullable Snapshot latest() {
        return publishedCount == 0 ? null : snapshots[PackedWindow.snapshot(latestPacked, 0)];
    }

    /**
     * Publishes the snapshot of {@link #nextSnapshot()} to all readers, as the newest one of the window.
     *
     * @param timeline the current timeline; copied
     * @param nanos    the clock now
     * @throws IllegalStateException if another thread is the writer, or the snapshot's tick does not follow the latest one, for example
     *                               because nothing was written since
     */
    public void publish(Timeline timeline, long nanos) {
        checkOwner();
        Snapshot written = snapshots[nextIndex];
        long tick = written.tick();
        if (tick != latestTick + 1) {
            checkFollows(tick);
        }
        written.publishedAt(nanos);
        delays.published(written, timeline, nanos);
        long previousBits = latestBits;
        shiftIn(nextIndex);
        latestTick = tick;
        long inUse = latestBits;
        if (publishedCount == windowSize) {
            for (int r = 0; r < words.length; r++) {
                inUse |= put(r, previousBits, timeline);
            }
        }
        nextIndex = afterLast(allSnapshots & ~inUse);
    }

    /**
     * Publishes the latest window again with another timeline: for a pause, resume or change of speed between two ticks. Does nothing while
     * there is no window yet.
     *
     * @param timeline the current timeline; copied
     * @throws IllegalStateException if another thread is the writer
     */
    public void publishAgain(Timeline timeline) {
        checkOwner();
        if (publishedCount == windowSize) {
            for (int r = 0; r < words.length; r++) {
                put(r, latestBits, timeline); // nextIndex stays free: readers can only have given back
            }
        }
    }

    /** The first tick may have any number. A snapshot that was not written since still has the number of an earlier tick. */
    private void checkFollows(long tick) {
        boolean first = publishedCount == 0 && tick != Snapshot.NEVER_WRITTEN;
        if (!first) {
            throw new IllegalStateException("tick " + (tick == Snapshot.NEVER_WRITTEN ? "(none)" : tick)
                    + " cannot follow tick " + (publishedCount == 0 ? "(none)" : latestTick)
                    + ": ticks are consecutive, and each is written after nextSnapshot()");
        }
    }

    /**
     * Of the free snapshots, the next one in turn: the one that a reader has just given back is written last. Its cache lines are still in
     * that reader's core, and writing them takes ten times as long (shared-state/docs/decisions/0011).
     */
    private int afterLast(long free) {
        long after = free & (-1L << nextIndex << 1); // in two steps: a shift by 64 would be a shift by 0
        return Long.numberOfTrailingZeros(after != 0 ? after : free);
    }

    private void shiftIn(int newest) {
        if (publishedCount == windowSize) {
            latestBits &= ~(1L << PackedWindow.snapshot(latestPacked, windowSize - 1));
        } else {
            publishedCount++;
        }
        latestBits |= 1L << newest;
        latestPacked = PackedWindow.shiftIn(latestPacked, newest, windowSize);
    }

    /** Publishes the latest window to reader {@code r}. Returns a bit for each snapshot that this reader may hold besides it. */
    private long put(int r, long previousBits, Timeline timeline) {
        int filled = spare[r];
        windows[r * ReaderSlot.WINDOWS + filled].fill(latestPacked, latestTick, timeline, delays);
        int word = words[r].put(filled);
        spare[r] = ExchangeWord.window(word);
        if (!ExchangeWord.wasFresh(word)) {
            // The reader has taken the previous window, and has given back the one it held before.
            heldBits[r] = previousBits;
        }
        return heldBits[r];
    }

    /**
     * Checks what must hold between two calls of the writer: a snapshot is free, no reader can see the next one, and the latest window is
     * complete and consecutive. Tests call this after every step.
     *
     * @throws AssertionError        if something does not hold, which is a fault of this library
     * @throws IllegalStateException if another thread is the writer
     */
    public void checkInvariants() {
        checkOwner();
        long inUse = latestBits;
        for (long held : heldBits) {
            inUse |= held;
        }
        if (Long.bitCount(inUse) >= snapshots.length) {
            throw new AssertionError("no snapshot is free");
        }
        if ((inUse & (1L << nextIndex)) != 0) {
            throw new AssertionError("snapshot " + nextIndex + " is written while a reader may see it");
        }
        if (Long.bitCount(latestBits) != publishedCount) {
            throw new AssertionError(
                    "the latest window has " + Long.bitCount(latestBits) + " snapshots, not " + publishedCount);
        }
        for (int age = 0; age < publishedCount; age++) {
            int snapshot = PackedWindow.snapshot(latestPacked, age);
            if ((latestBits & (1L << snapshot)) == 0) {
                throw new AssertionError("snapshot " + snapshot + " of the latest window counts as free");
            }
            long tick = snapshots[snapshot].tick();
            if (tick != latestTick - age) {
                throw new AssertionError("tick " + tick + " stands where tick " + (latestTick - age) + " belongs");
            }
        }
    }
}
