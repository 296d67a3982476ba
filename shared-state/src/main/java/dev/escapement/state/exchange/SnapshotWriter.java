package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: call {@link #nextSnapshot()}, write the snapshot in place, then {@link #publish} it.
 *
 * <p>The first thread that uses it owns it; when that thread has died, the next one does. All calls are wait-free and allocate nothing.
 *
 * @see SnapshotExchange#writer
 */
public final class SnapshotWriter extends ThreadConfined {

    private static final int UNKNOWN = -1;

    private final ReaderSlot[] slots;
    private final WritableSnapshot[] snapshots;
    private final Timeline[] timelines;
    private final long[] windows;
    private final int windowSize;
    private final long allSnapshots;

    /**
     * Per reader: the bits of all snapshots that it may hold besides those of the latest window. They include every snapshot that it holds
     * outside of the latest window, and may include some that it has given back.
     */
    private final long[] heldBits;

    /** Per reader: the number of the timeline that it may hold besides the latest one, likewise. */
    private final int[] heldTimelines;

    private final PublishDelays delays = new PublishDelays();

    private long latestWord = Window.NONE;
    private long latestPacked;
    private long latestBits;
    private long latestTick;
    private int publishedCount;

    // What the latest timeline is a copy of.
    private @Nullable Timeline copied;
    private long copiedChanges;

    /**
     * The snapshot that {@link #nextSnapshot()} returns. Chosen at the end of each publish, when it is known what readers gave back. It is
     * {@link #UNKNOWN} while a publish runs, and stays so if an error of the virtual machine ends that: then it is not known what readers
     * hold.
     */
    private int nextIndex;

    SnapshotWriter(ReaderSlot[] slots, WritableSnapshot[] snapshots) {
        this.slots = slots;
        this.snapshots = snapshots;
        timelines = slots[0].timelines;
        windows = slots[0].windows;
        windowSize = slots[0].windowSize;
        allSnapshots = -1L >>> (Long.SIZE - snapshots.length);
        heldBits = new long[slots.length];
        heldTimelines = new int[slots.length];
    }

    @Override
    protected String what() {
        return "snapshot writer";
    }

    /** Makes the calling thread the writer, in place of another one that writes no more. What that one did happens before. */
    public void moveToCallingThread() {
        ownInsteadOfOwner();
    }

    /** Lets the next thread that uses this become the writer. For tests that write before their threads start. */
    void handOver() {
        disown();
    }

    /**
     * Returns a snapshot that no reader can see, the same one until {@link #publish}.
     *
     * @return the snapshot to write; it still has the contents of some earlier tick
     * @throws IllegalStateException if another thread is the writer, or an error of the virtual machine has ended a publish
     */
    public WritableSnapshot nextSnapshot() {
        own();
        return snapshots[knownNext()];
    }

    private int knownNext() {
        int next = nextIndex;
        if (next == UNKNOWN) {
            throw new IllegalStateException(
                    "an error of the virtual machine has ended a publish, so that it is not known which"
                            + " snapshots readers hold; create a new exchange");
        }
        return next;
    }

    /** {@return the snapshot published last, for reading only; null before the first} */
    public @Nullable Snapshot latest() {
        return publishedCount == 0 ? null : snapshots[Window.numberAtAge(latestPacked, 0)];
    }

    /**
     * Publishes the snapshot of {@link #nextSnapshot()} to all readers, as the newest one of the window.
     *
     * @param timeline the current timeline; copied when its {@link Timeline#changes()} has changed. Do not call {@link Timeline#copyFrom}
     *                 on it: the number may stay the same, and the change would be missed
     * @param nanos    the clock now
     * @throws IllegalStateException if another thread is the writer, or the snapshot's tick does not follow the latest one, for example
     *                               because nothing was written since, or an error of the virtual machine has ended a publish
     */
    public void publish(Timeline timeline, long nanos) {
        own();
        int next = knownNext();
        WritableSnapshot written = snapshots[next];
        long tick = written.tick();
        if (tick != latestTick + 1) {
            checkFollows(tick);
        }
        written.publishedAt(nanos);
        delays.published(written, timeline, nanos);
        long previousBits = latestBits;
        nextIndex = UNKNOWN;
        shiftIn(next);
        latestTick = tick;
        long inUse = latestBits;
        if (publishedCount == windowSize) {
            fillRow(next);
            inUse |= put(Window.word(tick, next, copyOf(timeline)), previousBits);
        }
        nextIndex = afterLast(next, allSnapshots & ~inUse);
    }

    /**
     * Publishes a timeline with the latest window: for a pause, resume or change of speed between two ticks. Does nothing while there is no
     * window yet.
     *
     * @param timeline the current timeline; copied
     * @throws IllegalStateException if another thread is the writer, or an error of the virtual machine has ended a publish
     */
    public void publishTimeline(Timeline timeline) {
        own();
        int next = knownNext();
        if (publishedCount == windowSize) {
            nextIndex = UNKNOWN;
            put(Window.word(latestTick, Window.numberAtAge(latestPacked, 0), copyOf(timeline)), latestBits);
            nextIndex = next; // still free: readers can only have given back
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
     * that reader's core, and writing them takes ten times as long (shared-state/docs/decisions.md).
     */
    private int afterLast(int last, long free) {
        long after = free & (-1L << last << 1); // in two steps: a shift by 64 would be a shift by 0
        return Long.numberOfTrailingZeros(after != 0 ? after : free);
    }

    private void shiftIn(int newest) {
        if (publishedCount == windowSize) {
            latestBits &= ~(1L << Window.numberAtAge(latestPacked, windowSize - 1));
        } else {
            publishedCount++;
        }
        latestBits |= 1L << newest;
        latestPacked = Window.shiftIn(latestPacked, newest, windowSize);
    }

    /** Describes the latest window in the row of its newest snapshot. No reader can see it: that snapshot was free. */
    private void fillRow(int newest) {
        int row = newest * Window.ROW;
        windows[row + Window.SNAPSHOTS] = latestPacked;
        delays.storeIn(windows, row);
    }

    /** The number of a copy of a timeline: the latest one if nothing has changed since, else one that no reader can see. */
    private int copyOf(Timeline timeline) {
        if (timeline == copied && timeline.changes() == copiedChanges) {
            return Window.timeline(latestWord);
        }
        int free = Long.numberOfTrailingZeros(~timelinesInUse());
        timelines[free].copyFrom(timeline);
        copied = timeline;
        copiedChanges = timeline.changes();
        return free;
    }

    private long timelinesInUse() {
        long inUse = 1L << Window.timeline(latestWord);
        for (int held : heldTimelines) {
            inUse |= 1L << held;
        }
        return inUse;
    }

    /** Publishes a window to all readers. Returns a bit for each snapshot that they may hold besides it. */
    private long put(long word, long previousBits) {
        long held = 0;
        for (int r = 0; r < slots.length; r++) {
            if (slots[r].put(word) == Window.NONE) {
                // The reader has taken the previous window, and has given back the one it held before.
                heldBits[r] = previousBits;
                heldTimelines[r] = Window.timeline(latestWord);
            }
            held |= heldBits[r];
        }
        latestWord = word;
        return held;
    }

    /**
     * Checks what must hold between two calls of the writer: a snapshot is free, no reader can see the next one, and the latest window is
     * complete and consecutive. Tests call this after every step.
     *
     * @throws AssertionError        if something does not hold, which is a fault of this library
     * @throws IllegalStateException if another thread is the writer, or an error of the virtual machine has ended a publish
     */
    public void checkInvariants() {
        own();
        int next = knownNext();
        long inUse = latestBits;
        for (long held : heldBits) {
            inUse |= held;
        }
        if (Long.bitCount(inUse) >= snapshots.length) {
            throw new AssertionError("no snapshot is free");
        }
        if ((inUse & (1L << next)) != 0) {
            throw new AssertionError("snapshot " + next + " is written while a reader may see it");
        }
        if (Long.bitCount(timelinesInUse()) >= timelines.length) {
            throw new AssertionError("no timeline is free");
        }
        if (Long.bitCount(latestBits) != publishedCount) {
            throw new AssertionError(
                    "the latest window has " + Long.bitCount(latestBits) + " snapshots, not " + publishedCount);
        }
        for (int age = 0; age < publishedCount; age++) {
            int snapshot = Window.numberAtAge(latestPacked, age);
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
