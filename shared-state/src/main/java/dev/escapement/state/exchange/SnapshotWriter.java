package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: {@link #nextSnapshot()}, write the snapshot in place, {@link #publish}.
 *
 * <p>Only the first thread that uses it may use it, when that has died the next one. Both calls are wait-free and allocate nothing.
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

    /** Per reader: the window this writer owns and fills next. */
    private final int[] spare;

    /** Per reader: the snapshots it may hold beside the latest window, as bits. Older than true at worst, never newer. */
    private final long[] heldBits;

    private final PublishDelays delays = new PublishDelays();

    private long latest;
    private long latestBits;
    private long latestTick;
    private int publishedCount;

    /** The snapshot that is written now or next. Chosen right after a publish: only a publish tells what readers gave back. */
    private int writing;

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

    /** Lets the next thread become the writer. For tests, which write before their threads start. */
    void handOver() {
        disown();
    }

    /**
     * Gives out a snapshot that no reader can see. Until {@link #publish} the same one is given out again.
     *
     * @return the snapshot to write; it holds what some earlier tick left in it
     * @throws IllegalStateException if another thread is the writer
     */
    public Snapshot nextSnapshot() {
        checkOwner();
        return snapshots[writing];
    }

    /**
     * The snapshot published last, for reading only.
     *
     * @return the newest snapshot, or null before the first
     */
    public @Nullable Snapshot latest() {
        return publishedCount == 0 ? null : snapshots[PackedWindow.snapshot(latest, 0)];
    }

    /**
     * Hands the snapshot given out by {@link #nextSnapshot()} to all readers, as the newest of the window.
     *
     * @param timeline the timeline that is true now; copied
     * @param nanos    the clock now
     * @throws IllegalStateException if another thread is the writer, or the snapshot's tick does not follow the latest
     *                               one, as is the case when nothing was written since
     */
    public void publish(Timeline timeline, long nanos) {
        checkOwner();
        Snapshot written = snapshots[writing];
        long tick = written.tick();
        if (tick != latestTick + 1) {
            checkFollows(tick);
        }
        written.publishedAt(nanos);
        delays.published(written, timeline, nanos);
        long previousBits = latestBits;
        shiftIn(writing);
        latestTick = tick;
        long inUse = latestBits;
        if (publishedCount == windowSize) {
            for (int r = 0; r < words.length; r++) {
                inUse |= put(r, previousBits, timeline);
            }
        }
        writing = Long.numberOfTrailingZeros(allSnapshots & ~inUse);
    }

    /**
     * Hands the latest window to all readers once more, with another timeline: for changes of time between two ticks. Does
     * nothing while there is no window yet.
     *
     * @param timeline the timeline that is true now; copied
     * @throws IllegalStateException if another thread is the writer
     */
    public void publishAgain(Timeline timeline) {
        checkOwner();
        if (publishedCount == windowSize) {
            for (int r = 0; r < words.length; r++) {
                put(r, latestBits, timeline); // what is written now stays free: readers can only have let go of more
            }
        }
    }

    /** Only the first tick may have any number, and what was not written still has the number of an earlier tick. */
    private void checkFollows(long tick) {
        boolean first = publishedCount == 0 && tick != Snapshot.NEVER_WRITTEN;
        if (!first) {
            throw new IllegalStateException("tick " + (tick == Snapshot.NEVER_WRITTEN ? "(none)" : tick)
                    + " cannot follow tick " + (publishedCount == 0 ? "(none)" : latestTick)
                    + ": ticks are consecutive, and each is written after nextSnapshot()");
        }
    }

    private void shiftIn(int newest) {
        if (publishedCount == windowSize) {
            latestBits &= ~(1L << PackedWindow.snapshot(latest, windowSize - 1));
        } else {
            publishedCount++;
        }
        latestBits |= 1L << newest;
        latest = PackedWindow.shiftIn(latest, newest, windowSize);
    }

    /** Puts the latest window where reader {@code r} finds it, and tells which snapshots that reader may hold besides. */
    private long put(int r, long previousBits, Timeline timeline) {
        int filled = spare[r];
        windows[r * ReaderSlot.WINDOWS + filled].fill(latest, latestTick, timeline, delays);
        int word = words[r].put(filled);
        spare[r] = ExchangeWord.window(word);
        if (!ExchangeWord.wasFresh(word)) {
            // The reader took what was put there last time, the window before this one, and gave its older one back.
            heldBits[r] = previousBits;
        }
        return heldBits[r];
    }

    /**
     * Checks everything that must hold between two calls of the writer: a snapshot is free, the one to be written is seen by
     * nobody, the latest window is full and consecutive. Tests of every kind call this after every step.
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
        if ((inUse & (1L << writing)) != 0) {
            throw new AssertionError("snapshot " + writing + " is written while a reader may see it");
        }
        if (Long.bitCount(latestBits) != publishedCount) {
            throw new AssertionError(
                    "the latest window has " + Long.bitCount(latestBits) + " snapshots, not " + publishedCount);
        }
        for (int age = 0; age < publishedCount; age++) {
            int snapshot = PackedWindow.snapshot(latest, age);
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
