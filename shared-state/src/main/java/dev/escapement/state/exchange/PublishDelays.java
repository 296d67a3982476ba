package dev.escapement.state.exchange;

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

    /** About so many ticks make the mean. */
    private static final int MEAN_OF = 128;

    private final RecentExtremes recent = new RecentExtremes(TimeUnit.SECONDS.toNanos(1));
    private double mean;

    /** Adds a tick. While simulated time stands still nothing is late, so that time given up is no delay. */
    void published(long tick, Timeline timeline, long nanos) {
        long delay = nanos - timeline.goesOnNanos(tick);
        if (delay >= 0) {
            mean = recent.isEmpty() ? delay : mean + (delay - mean) / MEAN_OF;
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
        return (long) mean;
    }
}
