package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: {@link #begin()}, write the snapshot in place, {@link #publish}.
 *
 * <p>Only the first thread that uses it may use it. Both calls are wait-free and allocate nothing.
 */
public final class SnapshotWriter extends ThreadOwned {

    private static final int NONE = -1;

    private final ReaderSlot[] slots;
    private final Snapshot[] snapshots;
    private final int windowSize;
    private final long allSnapshots;

    /** Per reader: the window this writer owns and fills next. */
    private final int[] spare;

    /** Per reader: the snapshots it may hold beside the latest window, as bits. Older than true at worst, never newer. */
    private final long[] heldBits;

    private long latest;
    private long latestBits;
    private long latestTick;
    private int publishedCount;
    private int writing = NONE;

    SnapshotWriter(ReaderSlot[] slots, Snapshot[] snapshots, int windowSize) {
        this.slots = slots;
        this.snapshots = snapshots;
        this.windowSize = windowSize;
        allSnapshots = -1L >>> (Long.SIZE - snapshots.length);
        spare = new int[slots.length];
        Arrays.fill(spare, ReaderSlot.INITIALLY_SPARE);
        heldBits = new long[slots.length];
    }

    @Override
    String what() {
        return "snapshot writer";
    }

    /**
     * Gives out a snapshot that no reader can see. Until {@link #publish} the same one is returned again.
     *
     * @return the snapshot to write; it holds what some earlier tick left in it
     * @throws IllegalStateException if another thread is the writer
     */
    public Snapshot begin() {
        checkOwner();
        if (writing == NONE) {
            writing = Long.numberOfTrailingZeros(allSnapshots & ~snapshotsInUse());
        }
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
     * Hands the snapshot given out by {@link #begin()} to all readers, as the newest of the window.
     *
     * @param timeline the timeline that is true now; copied
     * @param nanos    the clock now
     * @throws IllegalStateException    if {@link #begin()} was not called since the last publish, or another thread is
     *                                  the writer
     * @throws IllegalArgumentException if the snapshot's tick does not follow the latest one
     */
    public void publish(Timeline timeline, long nanos) {
        checkOwner();
        if (writing == NONE) {
            throw new IllegalStateException("nothing was written: call begin() before publish()");
        }
        Snapshot written = snapshots[writing];
        long tick = written.tick();
        if (tick != latestTick + 1 && publishedCount != 0) {
            throw new IllegalArgumentException(
                    "tick " + tick + " cannot follow tick " + latestTick + ": ticks are consecutive");
        }
        written.publishedAt(nanos);
        long previousBits = latestBits;
        latest = PackedWindow.shiftIn(latest, writing, windowSize);
        latestTick = tick;
        writing = NONE;
        if (publishedCount < windowSize) {
            publishedCount++;
        }
        latestBits = PackedWindow.asBits(latest, publishedCount);
        if (publishedCount == windowSize) {
            for (int r = 0; r < slots.length; r++) {
                put(r, previousBits, timeline, nanos);
            }
        }
    }

    private void put(int r, long previousBits, Timeline timeline, long nanos) {
        ReaderSlot slot = slots[r];
        int filled = spare[r];
        slot.windows[filled].fill(latest, latestTick, timeline, nanos);
        int word = slot.word.put(filled);
        spare[r] = ExchangeWord.window(word);
        if (!ExchangeWord.wasFresh(word)) {
            // The reader took what was put there last time, the window before this one, and gave its older one back.
            heldBits[r] = previousBits;
        }
    }

    /**
     * The latest window, which lies ready for every reader or has been taken by it, and what each reader held before it
     * may take that.
     */
    private long snapshotsInUse() {
        long bits = latestBits;
        for (long held : heldBits) {
            bits |= held;
        }
        return bits;
    }

    /** Asserts everything that must hold between two calls of the writer. Tests call this after every step. */
    void checkInvariants() {
        long inUse = snapshotsInUse();
        if (Long.bitCount(inUse) >= snapshots.length) {
            throw new AssertionError("no snapshot is free");
        }
        if (writing != NONE && (inUse & (1L << writing)) != 0) {
            throw new AssertionError("snapshot " + writing + " is written while a reader may see it");
        }
        if (Long.bitCount(latestBits) != publishedCount) {
            throw new AssertionError(
                    "the latest window has " + Long.bitCount(latestBits) + " snapshots, not " + publishedCount);
        }
        for (int age = 0; age < publishedCount; age++) {
            long tick = snapshots[PackedWindow.snapshot(latest, age)].tick();
            if (tick != latestTick - age) {
                throw new AssertionError("tick " + tick + " stands where tick " + (latestTick - age) + " belongs");
            }
        }
    }
}
