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
    private long scaledMean;
    private long timelineChanges = Long.MIN_VALUE;

    /** The delays of the last ten ticks, in turn. */
    private final long[] latest = new long[10];

    private int at;

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

    /**
     * A load that begins or ends changes all delays at once: a mean that is far from each of the latest is out of date. They are compared
     * only where the newest one is far: ten comparisons would take as long as the rest of a handover.
     */
    private void followChange(long delay) {
        latest[at] = delay;
        at = at + 1 == latest.length ? 0 : at + 1;
        long mean = scaledMean >> MEAN_BITS;
        if (delay < mean - mean / 8) {
            long largest = delay;
            for (long other : latest) {
                largest = Math.max(largest, other);
            }
            scaledMean = largest < mean - mean / 8 ? largest << MEAN_BITS : scaledMean;
        } else if (delay - delay / 8 > mean) {
            long smallest = delay;
            for (long other : latest) {
                smallest = Math.min(smallest, other);
            }
            scaledMean = smallest - smallest / 8 > mean ? smallest << MEAN_BITS : scaledMean;
        }
    }

    /** Stores the delays that a window reports in its row. */
    void storeIn(long[] windows, int row) {
        windows[row + Window.SMALLEST_DELAY] = recent.smallest();
        windows[row + Window.LARGEST_DELAY] = recent.largest();
        windows[row + Window.MEAN_DELAY] = scaledMean >> MEAN_BITS;
    }
}
