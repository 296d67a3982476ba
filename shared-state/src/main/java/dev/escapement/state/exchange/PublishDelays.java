package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.RecentExtremes;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;

/**
 * How late ticks are published, by the one who sees them all: a reader that shows fewer frames than there are ticks never meets most of
 * them.
 *
 * <p>Writer only. Allocates nothing.
 */
final class PublishDelays {

    /** About 2 to the power of this many ticks make the mean: 128. */
    private static final int MEAN_BITS = 7;

    private final RecentExtremes recent = new RecentExtremes(TimeUnit.SECONDS.toNanos(1));
    private long scaledMean;
    private long timelineChanges = Long.MIN_VALUE;

    /** Adds a tick. While simulated time stands still nothing is late, so that time given up is no delay. */
    void published(Snapshot snapshot, Timeline timeline, long nanos) {
        long leftNanos = snapshot.dueNanos();
        if (timeline.changes() != timelineChanges) {
            timelineChanges = timeline.changes();
            leftNanos = timeline.goesOnNanos(snapshot.tick());
        }
        long delay = nanos - leftNanos;
        if (delay >= 0) {
            scaledMean = recent.isEmpty() ? delay << MEAN_BITS : scaledMean + delay - (scaledMean >> MEAN_BITS);
            recent.add(nanos, delay);
        }
    }

    long smallest() {
        return recent.smallest();
    }

    long largest() {
        return recent.largest();
    }

    long mean() {
        return scaledMean >> MEAN_BITS;
    }
}
