package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The latest consecutive snapshots and the timeline that was true when they were published.
 *
 * <p><b>Threads.</b> Belongs to the reader that acquired it until that reader acquires the next one: until then nothing
 * in it is written. Keep no reference beyond.
 */
public final class Window {

    private final @Nullable Snapshot[] snapshots;
    private final Timeline timeline;
    private long publishedNanos;
    private long skippedTicks;

    Window(int size, TickRate rate) {
        snapshots = new @Nullable Snapshot[size];
        timeline = new Timeline(rate);
    }

    /**
     * How many snapshots a window holds.
     *
     * @return K, the same for every window of an exchange
     */
    public int size() {
        return snapshots.length;
    }

    /**
     * A snapshot by age.
     *
     * @param index 0 for the oldest, {@link #size()} - 1 for the newest
     * @return the snapshot of tick {@link #oldestTick()} + {@code index}
     */
    public Snapshot snapshot(int index) {
        return Objects.requireNonNull(snapshots[index]);
    }

    /**
     * The newest snapshot.
     *
     * @return the snapshot of {@link #newestTick()}
     */
    public Snapshot newest() {
        return snapshot(snapshots.length - 1);
    }

    /**
     * The tick of the newest snapshot.
     *
     * @return n, where the window holds n - K + 1 .. n
     */
    public long newestTick() {
        return newest().tick();
    }

    /**
     * The tick of the oldest snapshot.
     *
     * @return n - K + 1
     */
    public long oldestTick() {
        return snapshot(0).tick();
    }

    /**
     * The timeline that was true when this window was published.
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
        return publishedNanos;
    }

    /**
     * How many ticks were published between this reader's previous window and this one that it never saw as the newest.
     *
     * @return ticks, 0 if none was missed and for the first window
     */
    public long skippedTicks() {
        return skippedTicks;
    }

    /** Writer only, while the slot is its own. */
    void fill(@Nullable Snapshot[] latest, Timeline now, long nanos) {
        System.arraycopy(latest, 0, snapshots, 0, snapshots.length);
        timeline.copyFrom(now);
        publishedNanos = nanos;
        skippedTicks = 0;
    }

    /** Reader only, while the slot is its own. */
    void skipped(long ticks) {
        skippedTicks = ticks;
    }

    @Override
    public String toString() {
        return "Window" + Arrays.toString(snapshots);
    }
}
