package dev.escapement.state.wire;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;

/**
 * The timeline of a receiver: the due times of its ticks on its own clock. The timeline follows desired due times by running slightly
 * faster or slower, and stands still while there is nothing to show.
 *
 * <p>One thread.
 */
final class PlayoutTimeline {

    /** If a due time differs from the desired one by less than this, no correction begins. One that has begun ends at NEARLY_NANOS. */
    private static final long TOLERANCE_NANOS = 500_000;

    private static final long NEARLY_NANOS = 50_000;

    /** If ticks are due too early by more than this, the correction is faster, because such ticks arrive too late and are predicted. */
    private static final long FAR_EARLY_NANOS = 2_000_000;

    /**
     * If ticks are due earlier than desired by more than this, the correction is fastest: waiting for repair packets never takes so long,
     * so the route must have changed.
     */
    private static final long VERY_EARLY_NANOS = 100_000_000;

    /** If ticks are due later than desired by more than this, the correction is faster, because the picture is older than necessary. */
    private static final long FAR_LATE_NANOS = 20_000_000;

    /** The change of speed of the slow correction. Nobody sees 0.25 % of a frame, 42 us of 16.7 ms. */
    private static final double SLOW = 0.0025;

    /** The change of speed of the faster correction. 2.5 % of a frame, 0.4 ms of 16.7 ms, is hardly visible. */
    static final double FASTER = 0.025;

    private static final double SLOWER = 0.1;

    private final Timeline timeline;
    private TimeScale senderScale = TimeScale.ONE;
    private double correction;

    /** The last tick at which the timeline changed its speed, stood still or skipped time. */
    private long changedTick = Long.MIN_VALUE;

    PlayoutTimeline(TickRate rate) {
        timeline = new Timeline(rate);
    }

    Timeline timeline() {
        return timeline;
    }

    void start(long tick, long dueNanos) {
        timeline.startAt(tick, dueNanos, senderScale);
        stand(tick);
    }

    boolean isStanding() {
        return timeline.isPaused();
    }

    long dueNanos(long tick) {
        return timeline.dueNanos(tick);
    }

    void stand(long lastTick) {
        changedTick = Math.max(changedTick, lastTick);
        timeline.pause(changedTick);
    }

    /** Resumes time after it stood still at a tick. The next tick is due at {@code nextDueNanos}. */
    void resume(long lastTick, long nextDueNanos) {
        correction = 0;
        long nanos = nextDueNanos - (lastTick + 1 - changedTick) * periodNanos();
        long earliestNanos = timeline.dueNanos(changedTick) + 1;
        timeline.resume(nanos - earliestNanos < 0 ? earliestNanos : nanos, senderScale);
    }

    long periodNanos() {
        return (long) ((double) timeline.rate().nanosAt(1) * senderScale.denominator() / senderScale.numerator());
    }

    /** Sets the speed of simulated time at the sender. Throws an {@link IllegalArgumentException} if the speed is invalid. */
    void senderScale(long numerator, long denominator, long lastTick) {
        if (numerator == senderScale.numerator() && denominator == senderScale.denominator()) {
            return;
        }
        TimeScale scale = new TimeScale(numerator, denominator);
        scale.times(timeline.rate()); // throws if the product is no valid speed
        senderScale = scale;
        apply(lastTick);
    }

    /**
     * Adjusts time so that the next tick is due near an instant. Time changes from that tick on, because frames may already show the time
     * before it.
     *
     * @param skipped whether the sender skipped time before that tick; then time stands still here, too, instead of running slower
     */
    void follow(long lastTick, long desiredNextDueNanos, boolean skipped) {
        long late = desiredNextDueNanos - timeline.dueNanos(lastTick + 1);
        if (late > 0 && skipped) {
            changedTick = lastTick + 1;
            timeline.skipUntil(changedTick, desiredNextDueNanos);
            return;
        }
        long error = Math.abs(late);
        double wanted = correction;
        if (error < NEARLY_NANOS || late * correction > 0) {
            wanted = 0;
        } else if (late > VERY_EARLY_NANOS) {
            wanted = -SLOWER;
        } else if (late > FAR_EARLY_NANOS) {
            wanted = -FASTER;
        } else if (-late > FAR_LATE_NANOS) {
            wanted = FASTER;
        } else if (error > TOLERANCE_NANOS || correction != 0) {
            wanted = late > 0 ? -SLOW : SLOW;
        }
        if (wanted != correction) {
            correction = wanted;
            apply(lastTick + 1);
        }
    }

    private void apply(long tick) {
        changedTick = tick;
        try {
            double scale = (double) senderScale.numerator() / senderScale.denominator() * (1 + correction);
            timeline.changeScale(tick, correction == 0 ? senderScale : TimeScale.of(scale));
        } catch (IllegalArgumentException beyond) {
            correction = 0; // the corrected speed is out of range, so time runs uncorrected
            timeline.changeScale(tick, senderScale);
        }
    }
}
