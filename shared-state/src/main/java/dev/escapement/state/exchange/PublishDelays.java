package dev.escapement.state.exchange;

import dev.escapement.state.internal.RecentExtremes;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;

/**
 * Measures how late ticks are published. The writer measures, because it sees every tick; a reader that draws fewer frames than there are
 * ticks misses some.
 */
final class PublishDelays {

    /** The mean is an exponential moving average over about 2^7 = 128 ticks. */
    private static final int MEAN_BITS = 7;

    /** A delay is far from the mean if they differ by more than 2^-3 = an eighth of the larger one. */
    private static final int FAR_BITS = 3;

    private final RecentExtremes recent = new RecentExtremes(TimeUnit.SECONDS.toNanos(1));
    private long scaledMean;
    private long timelineChanges = Long.MIN_VALUE;

    /** Recent delays that are far from the mean, each at its tick's number modulo ten. */
    private final long[] farDelays = new long[10];

    /** The number of consecutive ticks with a delay far from the mean, the last of which is {@link #farTick}; at most ten. */
    private int farTicks;

    private long farTick;

    /**
     * Adds the delay of a tick. The delay counts from the tick's due time, or from the end of a pause or skip at the tick, because skipped
     * time is no delay. Ignores a tick without a step, and a tick published at the end of a pause or skip, because their delays say nothing
     * about other ticks.
     */
    void published(Snapshot snapshot, Timeline timeline, long nanos) {
        if (!snapshot.isStepped()) {
            return;
        }
        long leftNanos = snapshot.dueNanos();
        if (timeline.changes() != timelineChanges) {
            timelineChanges = timeline.changes();
            leftNanos = timeline.resumeNanos(snapshot.tick());
        }
        long delay = nanos - leftNanos;
        if (delay > 0 || (delay == 0 && leftNanos == snapshot.dueNanos())) {
            long mean = scaledMean >> MEAN_BITS;
            long change = delay - mean;
            scaledMean = recent.isEmpty() ? delay << MEAN_BITS : scaledMean + change;
            recent.add(nanos, delay);
            if (Math.abs(change) > mean >> FAR_BITS) { // one comparison, because each takes a tenth of a publish's time
                addFar(snapshot.tick(), delay);
            }
        }
    }

    /**
     * Records a delay far from the mean. Replaces a mean that is far from each of the last ten delays, because a load that begins or ends
     * changes all delays at once.
     */
    private void addFar(long tick, long delay) {
        farTicks = tick == farTick + 1 ? farTicks : 0;
        farTick = tick;
        farDelays[Math.floorMod(tick, farDelays.length)] = delay; // floorMod: a hostile sender can number ticks below 0
        farTicks = Math.min(farTicks + 1, farDelays.length);
        if (farTicks == farDelays.length) {
            compareAll(scaledMean >> MEAN_BITS);
        }
    }

    private void compareAll(long mean) {
        long smallest = farDelays[0];
        long largest = farDelays[0];
        for (long delay : farDelays) {
            smallest = Math.min(smallest, delay);
            largest = Math.max(largest, delay);
        }
        if (isFar(largest, mean)) {
            scaledMean = largest << MEAN_BITS;
        } else if (isFar(mean, smallest)) {
            scaledMean = smallest << MEAN_BITS;
        }
    }

    private static boolean isFar(long smaller, long larger) {
        return smaller < larger - (larger >> FAR_BITS);
    }

    long spreadNanos() {
        return recent.isEmpty() ? 0 : recent.largest() - recent.smallest();
    }

    void storeIn(long[] windows, int row) {
        windows[row + Window.SMALLEST_DELAY] = recent.smallest();
        windows[row + Window.LARGEST_DELAY] = recent.largest();
        windows[row + Window.MEAN_DELAY] = scaledMean >> MEAN_BITS;
    }
}
