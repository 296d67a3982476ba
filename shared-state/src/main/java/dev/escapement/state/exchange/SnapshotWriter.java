package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a {@link SnapshotExchange}: call {@link #nextSnapshot()}, write the snapshot in place, then {@link #publish} it.
 *
 * <p>The first thread that uses it owns it; after the death of that thread, the next one does. All calls are wait-free and allocate
 * nothing.
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
     * Per reader, a bit for each snapshot that it may hold. Includes every snapshot that the reader holds outside of the latest window, and
     * perhaps some that it has returned.
     */
    private final long[] heldBits;

    /** Per reader, the number of the timeline that it may hold besides the latest one. */
    private final int[] heldTimelines;

    private final PublishDelays delays = new PublishDelays();

    private long latestWord = Window.NONE;
    private long latestPacked;
    private long latestBits;
    private long latestTick;
    private int publishedCount;

    // The timeline of which the latest published one is a copy, and its version at the copy.
    private @Nullable Timeline copiedTimeline;
    private long copiedChanges;

    /**
     * The index of the snapshot that {@link #nextSnapshot()} returns. Each publish chooses it at its end, when it knows what readers have
     * returned. {@link #UNKNOWN} during a publish, and after an error of the virtual machine in it: then nobody knows what readers hold.
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

    /**
     * Makes the calling thread the writer, in place of a thread that writes no more. All writes of that thread must happen before this
     * call.
     */
    public void moveToCallingThread() {
        ownInsteadOfOwner();
    }

    /** Releases ownership. For tests that write before their threads start. */
    void handOver() {
        disown();
    }

    /**
     * {@return a snapshot that no reader can see, the same one until {@link #publish}} It has the contents of some earlier tick.
     *
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
                    "an error of the virtual machine has ended a publish, so that nobody knows which"
                            + " snapshots readers hold; create a new exchange");
        }
        return next;
    }

    /** {@return the spread of the publish delays of the last 10 s, nanoseconds; 0 if none is known} Only the writer's thread may ask. */
    public long delaySpreadNanos() {
        return delays.spreadNanos();
    }

    /** {@return the last published snapshot, for reading only; null before the first} */
    public @Nullable Snapshot latest() {
        return publishedCount == 0 ? null : snapshots[Window.numberAtAge(latestPacked, 0)];
    }

    /**
     * Publishes the snapshot of {@link #nextSnapshot()} to all readers, as the newest one of the window.
     *
     * @param timeline the current timeline; copied when its {@link Timeline#changes()} has changed. Do not call {@link Timeline#copyFrom}
     *                 on it: that may keep the version, and readers would miss the change
     * @param nanos    the clock now
     * @throws IllegalStateException if another thread is the writer, the snapshot's tick does not follow the latest one (because the caller
     *                               wrote nothing, for example), or an error of the virtual machine has ended a publish
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
            inUse |= put(Window.word(next, copyOf(timeline)), previousBits);
        }
        nextIndex = afterLast(next, allSnapshots & ~inUse);
    }

    /**
     * Publishes a timeline with the latest window, after a pause, resume or change of speed that comes without a tick. Does nothing before
     * the first window.
     *
     * @param timeline the current timeline; copied
     * @throws IllegalStateException if another thread is the writer, or an error of the virtual machine has ended a publish
     */
    public void publishTimeline(Timeline timeline) {
        own();
        int next = knownNext();
        if (publishedCount == windowSize) {
            nextIndex = UNKNOWN;
            put(Window.word(Window.numberAtAge(latestPacked, 0), copyOf(timeline)), latestBits);
            nextIndex = next; // still free: readers cannot have taken it, because it is in no window
        }
    }

    /**
     * Refuses a tick, unless it is the first, which may have any number. A snapshot that the caller did not write still has the number of
     * an earlier tick.
     */
    private void checkFollows(long tick) {
        boolean first = publishedCount == 0 && tick != Snapshot.NEVER_WRITTEN;
        if (!first) {
            throw new IllegalStateException("tick " + (tick == Snapshot.NEVER_WRITTEN ? "(none)" : tick)
                    + " cannot follow tick " + (publishedCount == 0 ? "(none)" : latestTick)
                    + ": ticks are consecutive, and each is written after nextSnapshot()");
        }
    }

    /**
     * Chooses free snapshots in rotation, so that a snapshot that a reader has just returned comes last. Its cache lines are still in the
     * reader's core, and writing them takes longer (shared-state/docs/decisions.md).
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

    /** Writes the row of the latest window. No reader can see the row, because the window's newest snapshot was free until now. */
    private void fillRow(int newest) {
        int row = newest * Window.ROW;
        windows[row + Window.SNAPSHOTS] = latestPacked;
        delays.storeIn(windows, row);
    }

    /** Returns the number of a copy of a timeline: the latest copy if nothing has changed since, else one that no reader can see. */
    private int copyOf(Timeline timeline) {
        if (timeline == copiedTimeline && timeline.changes() == copiedChanges) {
            return Window.timeline(latestWord);
        }
        int free = Long.numberOfTrailingZeros(~timelinesInUse());
        timelines[free].copyFrom(timeline);
        copiedTimeline = timeline;
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

    /** Publishes a window to all readers. Returns a bit for each snapshot outside of the window that they may hold. */
    private long put(long word, long previousBits) {
        long held = 0;
        for (int r = 0; r < slots.length; r++) {
            if (slots[r].put(word) == Window.NONE) {
                // The reader has taken the previous window, and returned the one it held before.
                heldBits[r] = previousBits;
                heldTimelines[r] = Window.timeline(latestWord);
            }
            held |= heldBits[r];
        }
        latestWord = word;
        return held;
    }
}
