package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Learns by how much the largest publish delay exceeds the one that a part of the ticks do not exceed.
 *
 * <p>Each tick moves the estimate up by a step times the part if its delay was larger, and otherwise down by a step times the rest: it stands
 * still where that part of the delays is below it. (The stochastic approximation of a quantile: Robbins and Monro, "A Stochastic Approximation
 * Method", 1951.)
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class DelayQuantile {

    /** So small that the picture's age changes by at most that much in a tick, which nobody sees. */
    private static final double STEP_NANOS = 20_000;

    private final double part;
    private double delayNanos;
    private long lastTick;
    private long uncoveredNanos;

    DelayQuantile(double part) {
        this.part = part;
    }

    /** Learns from the ticks that are new in the window of a frame. */
    void frame(Window window) {
        if (part == 1 || window.largestDelayNanos() == Long.MIN_VALUE) {
            return;
        }
        if (lastTick == 0) {
            delayNanos = window.largestDelayNanos();
        }
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > lastTick) {
                lastTick = snapshot.tick();
                boolean isLarger = snapshot.publishedNanos() - snapshot.dueNanos() > delayNanos;
                delayNanos += isLarger ? STEP_NANOS * part : -STEP_NANOS * (1 - part);
            }
        }
        delayNanos = Math.max(
                (double) window.smallestDelayNanos(), Math.min(delayNanos, (double) window.largestDelayNanos()));
        uncoveredNanos = (long) (window.largestDelayNanos() - delayNanos);
    }

    /** The largest delay of the last 10 s less that quantile, nanoseconds. */
    long uncoveredNanos() {
        return uncoveredNanos;
    }
}
