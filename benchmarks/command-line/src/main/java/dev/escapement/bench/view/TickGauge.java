package dev.escapement.bench.view;

import dev.escapement.physics.TickListener;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How late ticks start and how long their steps take, over the last half second or so: the mean and the most.
 *
 * <p>The physics thread tells, any thread may ask. Allocates nothing after construction.
 */
final class TickGauge implements TickListener {

    private final long ticksTogether;
    private long ticks;
    private long latenessSum;
    private long latenessMost;
    private long stepSum;
    private long stepMost;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    private final AtomicLong meanLateness = new AtomicLong();
    private final AtomicLong mostLateness = new AtomicLong();
    private final AtomicLong meanStep = new AtomicLong();
    private final AtomicLong mostStep = new AtomicLong();

    TickGauge(long ticksTogether) {
        this.ticksTogether = Math.max(1, ticksTogether);
    }

    @Override
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        long lateness = startedNanos - dueNanos;
        long step = steppedNanos - startedNanos;
        latenessSum += lateness;
        latenessMost = Math.max(latenessMost, lateness);
        stepSum += step;
        stepMost = Math.max(stepMost, step);
        if (++ticks == ticksTogether) {
            meanLateness.setOpaque(latenessSum / ticks);
            mostLateness.setOpaque(latenessMost);
            meanStep.setOpaque(stepSum / ticks);
            mostStep.setOpaque(stepMost);
            ticks = 0;
            latenessSum = 0;
            latenessMost = 0;
            stepSum = 0;
            stepMost = 0;
        }
    }

    long meanLatenessNanos() {
        return meanLateness.getOpaque();
    }

    long mostLatenessNanos() {
        return mostLateness.getOpaque();
    }

    long meanStepNanos() {
        return meanStep.getOpaque();
    }

    long mostStepNanos() {
        return mostStep.getOpaque();
    }
}
