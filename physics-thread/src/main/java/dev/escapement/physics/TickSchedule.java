package dev.escapement.physics;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Computes which tick comes next and when it is due, skips missed deadlines by the {@link LateTicks} policy, and applies pauses and
 * scale to the timeline. Tick numbers stay consecutive.
 *
 * <p>Physics thread only, except {@link #skippedTicks()}, {@link #skippedNanos()} and {@link #realTimeFactor()}.
 */
final class TickSchedule {

    /** Requests are served this often while time stands still, or slow motion makes the next tick far away. */
    static final long LOOK_NANOS = 10_000_000;

    /** Due times that were rounded from different origins differ by less than this. */
    private static final long ROUNDING_NANOS = 1000;

    private final Timeline timeline;
    private final LateTicks lateTicks;
    private long nextTick;
    private int inARow;
    private boolean skipsAfterNext;
    private TimeScale scale = TimeScale.ONE;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    private final AtomicLong skippedTicks = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();
    private final AtomicLong ranNanos = new AtomicLong();

    TickSchedule(TickRate rate, LateTicks lateTicks, long firstTick) {
        timeline = new Timeline(rate);
        this.lateTicks = lateTicks;
        nextTick = firstTick;
    }

    void start(long nanos, TimeScale startScale) {
        timeline.startAt(nextTick - 1, nanos, startScale);
        scale = startScale;
    }

    Timeline timeline() {
        return timeline;
    }

    long nextTick() {
        return nextTick;
    }

    long nextDueNanos() {
        return timeline.dueNanos(nextTick);
    }

    /**
     * Whether the next tick is so far away that requests are served before it: in slow motion only, and from two intervals of
     * {@link #LOOK_NANOS} on. At full speed requests wait for the next tick, however low the rate is.
     */
    boolean isFar(long nowNanos) {
        return scale.numerator() < scale.denominator() && nextDueNanos() - nowNanos > 2 * LOOK_NANOS;
    }

    boolean isPaused() {
        return timeline.isPaused();
    }

    /** Whether the next tick is the last one that is due before an instant. */
    boolean isLastBefore(long nanos) {
        return timeline.dueNanos(nextTick + 1) - nanos >= -ROUNDING_NANOS;
    }

    /** Whether deadlines that have passed when the next tick ends are skipped whatever the policy says. */
    void skipAfterNext(boolean skips) {
        skipsAfterNext = skips;
    }

    /** Moves the next tick, and all later ones, to when it is due in the run that is followed. Before the first, also sets its number. */
    void moveNext(long number, long dueNanos) {
        if (number != nextTick) {
            long periodNanos = nextDueNanos() - timeline.dueNanos(nextTick - 1);
            nextTick = number;
            timeline.restartAt(number - 1, dueNanos - periodNanos, scale);
            return;
        }
        long laterNanos = dueNanos - nextDueNanos();
        if (Math.abs(laterNanos) <= ROUNDING_NANOS) {
            return; // does not accumulate: each due time is compared with that of the run
        }
        long tick = nextTick - 1;
        long fromNanos = timeline.dueNanos(tick) + laterNanos;
        if (laterNanos > 0) {
            timeline.skipUntil(tick, fromNanos);
            add(skippedTicks, laterNanos / (timeline.dueNanos(tick + 1) - fromNanos));
            add(skippedNanos, laterNanos);
        } else {
            timeline.restartAt(tick, fromNanos, scale);
        }
    }

    /** Ends the current tick, and skips deadlines that were missed by then. */
    void finish(long nowNanos) {
        long tick = nextTick++;
        add(ranNanos, timeline.dueNanos(tick + 1) - timeline.dueNanos(tick));
        long missed = timeline.lastTickDueBefore(nowNanos) - tick;
        inARow = missed > 0 ? inARow + 1 : 0;
        if (missed > 0 && skipsAfterNext) {
            skip(tick, missed);
        } else if (missed > 0) {
            skipMissed(tick, missed, nowNanos);
        }
    }

    private void skipMissed(long tick, long missed, long nowNanos) {
        switch (lateTicks.policy()) {
            case SKIP -> skip(tick, missed);
            case BURST -> {
                if (inARow >= lateTicks.maxInARow()) {
                    inARow = 0;
                    skip(tick, missed);
                }
            }
            case DELAY -> {
                long lateNanos = nowNanos - timeline.dueNanos(tick + 1);
                timeline.skipUntil(tick, timeline.dueNanos(tick) + lateNanos);
                add(skippedTicks, missed - 1); // the next tick is moved and not lost; the others are
                add(skippedNanos, lateNanos);
            }
            case RUN_ALL -> {}
        }
    }

    /** Changes the speed of time from the end of the last tick on. No reader has seen time after that yet. */
    void scale(TimeScale newScale) {
        if (!scale.equals(newScale)) {
            if (!isPaused()) {
                timeline.scale(nextTick - 1, newScale);
            }
            scale = newScale;
        }
    }

    /** Pauses time from the end of the last tick on. Ticks that are due by now and did not run are skipped. */
    void pause(long nowNanos) {
        long tick = nextTick - 1;
        long missed = timeline.lastTickDueBefore(nowNanos) - tick;
        if (missed > 0) {
            add(skippedTicks, missed);
            add(skippedNanos, nowNanos - timeline.dueNanos(tick + 1));
        }
        inARow = 0;
        timeline.pause(tick);
    }

    void resume(long nowNanos) {
        timeline.resume(nowNanos, scale);
    }

    /** Ends the schedule. Ticks that were due before the end and did not run count as skipped. */
    void end(long endNanos) {
        if (!isPaused()) {
            add(skippedTicks, Math.max(0, timeline.lastTickDueBefore(endNanos) - (nextTick - 1)));
        }
    }

    long skippedTicks() {
        return skippedTicks.getOpaque();
    }

    /** How much time of the clock was skipped. */
    long skippedNanos() {
        return skippedNanos.getOpaque();
    }

    /** The time of all ticks that ran, divided by the sum of that and the skipped time. */
    double realTimeFactor() {
        double ran = ranNanos.getOpaque();
        return ran == 0 ? 1 : ran / (ran + skippedNanos.getOpaque());
    }

    private void skip(long tick, long missed) {
        long before = timeline.dueNanos(tick + 1);
        timeline.skip(tick, missed);
        add(skippedTicks, missed);
        add(skippedNanos, timeline.dueNanos(tick + 1) - before);
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }
}
