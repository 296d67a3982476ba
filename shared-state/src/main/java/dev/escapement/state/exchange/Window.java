package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.Objects;

/**
 * The latest K consecutive snapshots, and the timeline as it was when they were published.
 *
 * <p><b>Threads.</b> Belongs to the reader that acquired it. Nothing in it is written until that reader acquires the next one; keep no
 * reference beyond that.
 *
 * @see SnapshotReader#window
 */
public final class Window {

    private final Snapshot[] snapshots;
    private final int size;
    private final Timeline timeline;
    private long packed;
    private long newestTick;
    private long skippedTicks;
    private long smallestDelayNanos;
    private long largestDelayNanos;
    private long meanDelayNanos;

    Window(Snapshot[] snapshots, int size, TickRate rate) {
        this.snapshots = snapshots;
        this.size = size;
        timeline = new Timeline(rate);
    }

    /**
     * How many snapshots a window holds.
     *
     * @return K, the same for every window of an exchange
     */
    public int size() {
        return size;
    }

    /**
     * A snapshot by age.
     *
     * @param index 0 for the oldest, {@link #size()} - 1 for the newest
     * @return the snapshot of tick {@link #oldestTick()} + {@code index}
     * @throws IndexOutOfBoundsException if there is no such index
     */
    public Snapshot snapshot(int index) {
        return snapshots[PackedWindow.snapshot(packed, size - 1 - Objects.checkIndex(index, size))];
    }

    /**
     * The newest snapshot.
     *
     * @return the snapshot of {@link #newestTick()}
     */
    public Snapshot newest() {
        return snapshots[PackedWindow.snapshot(packed, 0)];
    }

    /**
     * The tick of the newest snapshot.
     *
     * @return n, where the window holds n - K + 1 .. n
     */
    public long newestTick() {
        return newestTick;
    }

    /**
     * The tick of the oldest snapshot.
     *
     * @return n - K + 1
     */
    public long oldestTick() {
        return newestTick - size + 1;
    }

    /**
     * The timeline as it was when this window was published.
     *
     * @return the timeline, for reading only
     */
    public Timeline timeline() {
        return timeline;
    }

    /**
     * When this window was published.
     *
     * @return an instant of the clock
     */
    public long publishedNanos() {
        return newest().publishedNanos();
    }

    /**
     * How many ticks this reader skipped: those after the newest tick of its previous window and before the newest of this one.
     *
     * @return ticks, 0 if none was skipped and for the first window
     */
    public long skippedTicks() {
        return skippedTicks;
    }

    /**
     * The smallest publish delay of the last 10 s: the time from when simulated time left a tick until its snapshot was published. It
     * covers all ticks, whether or not this reader has seen them. Time that was given up does not count as delay.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} if none is known
     */
    public long smallestDelayNanos() {
        return smallestDelayNanos;
    }

    /**
     * The largest publish delay of the last 10 s.
     *
     * @return nanoseconds; {@link Long#MIN_VALUE} if none is known
     * @see #smallestDelayNanos()
     */
    public long largestDelayNanos() {
        return largestDelayNanos;
    }

    /**
     * The mean publish delay of the last hundred ticks or so.
     *
     * @return nanoseconds; 0 if none is known
     * @see #smallestDelayNanos()
     */
    public long meanDelayNanos() {
        return meanDelayNanos;
    }

    /** Writer only, while it owns this window. */
    void fill(long newPacked, long tick, Timeline now, PublishDelays delays) {
        packed = newPacked;
        newestTick = tick;
        timeline.copyFrom(now);
        smallestDelayNanos = delays.smallest();
        largestDelayNanos = delays.largest();
        meanDelayNanos = delays.mean();
    }

    /** Reader only, while it owns this window. */
    void setSkippedTicks(long ticks) {
        skippedTicks = ticks;
    }

    @Override
    public String toString() {
        return "Window[ticks " + oldestTick() + " to " + newestTick + "]";
    }
}
