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

    private final RecentExtremes recent = new RecentExtremes(TimeUnit.SECONDS.toNanos(1));

    /** Of the last ten ticks: a slice is a tick. */
    private final RecentExtremes latest = new RecentExtremes(1);

    private long scaledMean;
    private long timelineChanges = Long.MIN_VALUE;

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
            latest.add(snapshot.tick(), delay);
            followChange();
        }
    }

    /** A load that begins or ends changes all delays at once: a mean that is far from each of the latest is out of date. */
    private void followChange() {
        long mean = scaledMean >> MEAN_BITS;
        if (latest.largest() < mean - mean / 8) {
            scaledMean = latest.largest() << MEAN_BITS;
        } else if (latest.smallest() - latest.smallest() / 8 > mean) {
            scaledMean = latest.smallest() << MEAN_BITS;
        }
    }

    /** Stores the delays that a window reports in its row. */
    void storeIn(long[] windows, int row) {
        windows[row + Window.SMALLEST_DELAY] = recent.smallest();
        windows[row + Window.LARGEST_DELAY] = recent.largest();
        windows[row + Window.MEAN_DELAY] = scaledMean >> MEAN_BITS;
    }
}
