package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: {@link #begin()}, write the snapshot in place, {@link #publish}.
 *
 * <p>Only the first thread that uses it may use it. Both calls are wait-free and allocate nothing.
 */
public final class SnapshotWriter {

    private final OwnerThread owner = new OwnerThread("snapshot writer");
    private final ReaderSlot[] slots;
    private final Snapshot[] snapshots;
    private final long allSnapshots;

    /** Per reader slot: the window this writer owns and fills next. */
    private final int[] spare;

    /** Per reader slot and window: the snapshots it was filled with, as bits. Those of the spare window do not count. */
    private final long[][] windowBits;

    private final @Nullable Snapshot[] latest;
    private final int[] latestIndex;
    private long latestBits;
    private int publishedCount;
    private int writing = -1;

    SnapshotWriter(ReaderSlot[] slots, int windowSize, int snapshotCount, int preallocatedBodies) {
        this.slots = slots;
        snapshots = new Snapshot[snapshotCount];
        for (int i = 0; i < snapshotCount; i++) {
            snapshots[i] = new Snapshot(preallocatedBodies);
        }
        allSnapshots = -1L >>> (Long.SIZE - snapshotCount);
        spare = new int[slots.length];
        Arrays.fill(spare, ReaderSlot.INITIALLY_SPARE);
        windowBits = new long[slots.length][ReaderSlot.WINDOWS];
        latest = new @Nullable Snapshot[windowSize];
        latestIndex = new int[windowSize];
    }

    /**
     * Gives out a snapshot that no reader can see. Until {@link #publish} the same one is returned again.
     *
     * @return the snapshot to write; it holds what some earlier tick left in it
     * @throws IllegalStateException if another thread is the writer
     */
    public Snapshot begin() {
        owner.check();
        if (writing < 0) {
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
        return latest[latest.length - 1];
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
        owner.check();
        if (writing < 0) {
            throw new IllegalStateException("nothing was written: call begin() before publish()");
        }
        Snapshot written = snapshots[writing];
        Snapshot newest = latest();
        if (newest != null && written.tick() != newest.tick() + 1) {
            throw new IllegalArgumentException(
                    "tick " + written.tick() + " cannot follow tick " + newest.tick() + ": ticks are consecutive");
        }
        written.publishedAt(nanos);
        shiftIn(written, writing);
        writing = -1;
        if (publishedCount < latest.length) {
            publishedCount++;
        }
        if (publishedCount == latest.length) {
            for (int r = 0; r < slots.length; r++) {
                put(r, timeline, nanos);
            }
        }
    }

    private void put(int r, Timeline timeline, long nanos) {
        ReaderSlot slot = slots[r];
        int filled = spare[r];
        slot.window(filled).fill(latest, timeline, nanos);
        windowBits[r][filled] = latestBits;
        spare[r] = slot.word.put(filled);
    }

    private void shiftIn(Snapshot written, int index) {
        int last = latest.length - 1;
        if (publishedCount == latest.length) {
            latestBits &= ~(1L << latestIndex[0]);
        }
        System.arraycopy(latest, 1, latest, 0, last);
        System.arraycopy(latestIndex, 1, latestIndex, 0, last);
        latest[last] = written;
        latestIndex[last] = index;
        latestBits |= 1L << index;
    }

    /**
     * The latest window, and in each slot the two windows that are not the writer's: the one that lies ready and the one
     * the reader holds. Which of the two is which does not matter here, and only the reader knows.
     */
    private long snapshotsInUse() {
        long bits = latestBits;
        for (int r = 0; r < slots.length; r++) {
            for (int w = 0; w < ReaderSlot.WINDOWS; w++) {
                if (w != spare[r]) {
                    bits |= windowBits[r][w];
                }
            }
        }
        return bits;
    }

    /** Asserts everything that must hold between two calls of the writer. Tests call this after every step. */
    void checkInvariants() {
        if (Long.bitCount(snapshotsInUse()) >= snapshots.length) {
            throw new AssertionError("no snapshot is free");
        }
        if (writing >= 0 && (snapshotsInUse() & 1L << writing) != 0) {
            throw new AssertionError("snapshot " + writing + " is written while a reader may see it");
        }
        if (Long.bitCount(latestBits) != publishedCount) {
            throw new AssertionError(
                    "the latest window has " + Long.bitCount(latestBits) + " snapshots, not " + publishedCount);
        }
        for (int i = latest.length - publishedCount + 1; i < latest.length; i++) {
            long previous = Objects.requireNonNull(latest[i - 1]).tick();
            if (Objects.requireNonNull(latest[i]).tick() != previous + 1) {
                throw new AssertionError("tick " + previous + " is not followed by its successor");
            }
        }
    }
}
