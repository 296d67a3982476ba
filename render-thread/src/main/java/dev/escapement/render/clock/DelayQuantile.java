package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Learns the publish delay that a part of the ticks do not exceed.
 *
 * <p>Each tick moves the estimate up by a step times the part if its delay was larger, and otherwise down by a step times the rest: it stands
 * still where that part of the delays is below it. (The stochastic approximation of a quantile: Robbins and Monro, "A Stochastic Approximation
 * Method", 1951.) The steps become smaller from tick to tick, down to {@value #LEAST_STEP_NANOS} ns.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class DelayQuantile {

    private static final double FIRST_STEP_NANOS = 4_000_000;
    private static final double LEAST_STEP_NANOS = 20_000;

    private final double part;
    private double delayNanos;
    private long lastTick;
    private long ticks;

    DelayQuantile(double part) {
        this.part = part;
    }

    /** Learns from the ticks that are new in the window of a frame. */
    void frame(Window window) {
        if (part == 1 || window.largestDelayNanos() == Long.MIN_VALUE) {
            return;
        }
        if (ticks == 0) {
            delayNanos = window.meanDelayNanos();
        }
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > lastTick) {
                ticks++;
                double step = Math.max(LEAST_STEP_NANOS, FIRST_STEP_NANOS / ticks);
                boolean isLarger = snapshot.publishedNanos() - snapshot.dueNanos() > delayNanos;
                delayNanos += isLarger ? step * part : -step * (1 - part);
            }
        }
        lastTick = window.newestTick(); // less than before in another run
        delayNanos = Math.max(
                (double) window.smallestDelayNanos(), Math.min(delayNanos, (double) window.largestDelayNanos()));
    }

    /** That delay, between the smallest and the largest of the last 10 s. */
    long delayNanos() {
        return (long) delayNanos;
    }
}
