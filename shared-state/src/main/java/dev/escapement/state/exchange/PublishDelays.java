package dev.escapement.state.exchange;

import dev.escapement.state.internal.RecentExtremes;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;

/**
 * Measures how late ticks are published. The writer does so, because it sees every tick; a reader with fewer frames than ticks misses some.
 *
 * <p>Writer only. Allocates nothing.
 */
final class PublishDelays {

    /** The mean is an exponential moving average over about 2^7 = 128 ticks. */
    private static final int MEAN_BITS = 7;

    /** So many delays in a row on one side of the mean, each by more than an eighth, are a change of load. */
    private static final int FAR_TICKS = 10;

    private final RecentExtremes recent = new RecentExtremes(TimeUnit.SECONDS.toNanos(1));
    private long scaledMean;
    private long timelineChanges = Long.MIN_VALUE;

    // Delays in a row far from the mean: their side (1 above, -1 below, 0 none), their number, and the nearest one.
    private int farSide;
    private int farTicks;
    private long nearestNanos;

    /**
     * Adds a tick. Its delay counts from its due time, or from the end of a pause or skip at it: skipped time is no delay. If it ends when
     * the tick is published, the tick says nothing about the delay of others.
     */
    void published(Snapshot snapshot, Timeline timeline, long nanos) {
        long leftNanos = snapshot.dueNanos();
        if (timeline.changes() != timelineChanges) {
            timelineChanges = timeline.changes();
            leftNanos = timeline.resumeNanos(snapshot.tick());
        }
        long delay = nanos - leftNanos;
        if (delay > 0 || (delay == 0 && leftNanos == snapshot.dueNanos())) {
            scaledMean = recent.isEmpty() ? delay << MEAN_BITS : scaledMean + delay - (scaledMean >> MEAN_BITS);
            recent.add(nanos, delay);
            followChange(delay);
        }
    }

    /** A load that begins or ends changes all delays at once. The mean would follow it after a second: it is set to the nearest one. */
    private void followChange(long delay) {
        long mean = scaledMean >> MEAN_BITS;
        int side = delay < mean - mean / 8 ? -1 : delay - delay / 8 > mean ? 1 : 0;
        if (side != farSide) {
            farSide = side;
            farTicks = 0;
            nearestNanos = delay;
        }
        if (side == 0) {
            return;
        }
        nearestNanos = side > 0 ? Math.min(nearestNanos, delay) : Math.max(nearestNanos, delay);
        farTicks++;
        if (farTicks == FAR_TICKS) {
            scaledMean = nearestNanos << MEAN_BITS;
            farSide = 0;
        }
    }

    /** Stores the delays that a window reports in its row. */
    void storeIn(long[] windows, int row) {
        windows[row + Window.SMALLEST_DELAY] = recent.smallest();
        windows[row + Window.LARGEST_DELAY] = recent.largest();
        windows[row + Window.MEAN_DELAY] = scaledMean >> MEAN_BITS;
    }
}
