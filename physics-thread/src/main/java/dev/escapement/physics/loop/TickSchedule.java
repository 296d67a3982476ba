package dev.escapement.physics.loop;

import dev.escapement.physics.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Computes which tick comes next and when it is due, slows time down or skips missed deadlines by the {@link LateTicks} policy, and applies
 * pauses and scale to the timeline. Tick numbers stay consecutive.
 *
 * <p>Physics thread only, except {@link #skippedTicks()}, {@link #skippedNanos()}, {@link #slowedNanos()}, {@link #realTimeFactor()} and
 * the close.
 */
public final class TickSchedule {

    /** Requests are served this often while time stands still, or slow motion makes the next tick far away. */
    public static final long LOOK_NANOS = 10_000_000;

    /** Due times that were rounded from different origins differ by less than this. */
    private static final long ROUNDING_NANOS = 1000;

    /** A skip lowers the {@link #recentFactor()} for one to two times as long. */
    private static final long RECENT_NANOS = 500_000_000;

    private final Timeline timeline;
    private final long maxLatenessNanos;
    private long nextTick;
    private boolean skipsAfterNext;

    /** The speed that was asked for. */
    private TimeScale scale = TimeScale.ONE;

    /** Null if time is not slowed down: by another policy, or because another run says when ticks are due. */
    private @Nullable Dilation dilation;

    // Written by the physics thread alone; atomic so that any thread may read them, nothing else is ordered by them.
    private final AtomicLong skippedTicks = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();
    private final AtomicLong slowedNanos = new AtomicLong();
    private final AtomicLong simulatedNanos = new AtomicLong();

    /** Simulated time that was asked for by the scale of its moment, and slowed down or skipped. */
    private final AtomicLong lostNanos = new AtomicLong();

    // Null until closed. Volatile accesses: another thread may close within the tick at whose end the physics thread
    // reads it.
    private final AtomicReference<@Nullable Long> closedAtNanos = new AtomicReference<>();

    // The counts where the intervals of RECENT_NANOS began: the one that runs, and the one before it.
    private long intervalNanos;
    private long intervalSimulatedNanos;
    private long intervalSkippedNanos;
    private long recentSimulatedNanos;
    private long recentSkippedNanos;

    /**
     * Creates a schedule that has not started.
     *
     * @param windowSize how many snapshots readers see
     */
    TickSchedule(TickRate rate, LateTicks lateTicks, int windowSize, long firstTick) {
        timeline = new Timeline(rate);
        maxLatenessNanos = lateTicks.maxLatenessNanos();
        nextTick = firstTick;
        TimeScale least = lateTicks.least();
        if (least != null) {
            dilation = new Dilation(rate, least, windowSize);
        }
    }

    public void start(long nanos, TimeScale startScale) {
        ask(startScale);
        timeline.startAt(nextTick - 1, nanos, speed());
        intervalNanos = nanos;
    }

    private void ask(TimeScale newScale) {
        scale = newScale;
        if (dilation != null) {
            dilation.ask(newScale);
        }
    }

    private TimeScale speed() {
        return dilation == null ? scale : dilation.scale();
    }

    Timeline timeline() {
        return timeline;
    }

    public long nextTick() {
        return nextTick;
    }

    public long nextDueNanos() {
        return timeline.dueNanos(nextTick);
    }

    /** How long a tick is by the rate and the speed of time that the user wants. */
    public long periodNanos() {
        return timeline.rate().nanosAt(1) * scale.denominator() / scale.numerator();
    }

    /**
     * Whether the next tick is so far away that requests are served before it: in slow motion only, and from two intervals of
     * {@link #LOOK_NANOS} on. At full speed requests wait for the next tick, however low the rate is.
     */
    boolean isFar(long nowNanos) {
        return (scale.numerator() < scale.denominator() || isSlowed()) && nextDueNanos() - nowNanos > 2 * LOOK_NANOS;
    }

    public boolean isPaused() {
        return timeline.isPaused();
    }

    /** Whether the next tick is the last one that is due before an instant. */
    public boolean isLastBefore(long nanos) {
        return timeline.dueNanos(nextTick + 1) - nanos >= -ROUNDING_NANOS;
    }

    /** Whether deadlines that have passed when the next tick ends are skipped whatever the policy says. */
    public void skipAfterNext(boolean skips) {
        skipsAfterNext = skips;
    }

    /**
     * Moves the next tick, and all later ones, to when it is due in the run that is followed. Before the first, also sets its number. Time
     * is that of the other run then, and not slowed down here.
     */
    void moveNext(long number, long dueNanos) {
        if (number != nextTick) {
            endDilation();
            long periodNanos = nextDueNanos() - timeline.dueNanos(nextTick - 1);
            nextTick = number;
            timeline.restartAt(number - 1, dueNanos - periodNanos, scale);
            return;
        }
        long laterNanos = dueNanos - nextDueNanos();
        if (Math.abs(laterNanos) <= ROUNDING_NANOS) {
            return; // does not accumulate: each due time is compared with that of the run
        }
        endDilation();
        laterNanos = dueNanos - nextDueNanos();
        long tick = nextTick - 1;
        long fromNanos = timeline.dueNanos(tick) + laterNanos;
        if (laterNanos > 0) {
            timeline.skipUntil(tick, fromNanos);
            add(skippedTicks, laterNanos / (timeline.dueNanos(tick + 1) - fromNanos));
            lose(skippedNanos, laterNanos);
        } else {
            timeline.restartAt(tick, fromNanos, scale);
        }
    }

    private void endDilation() {
        if (isSlowed()) {
            timeline.scale(nextTick - 1, scale);
        }
        dilation = null;
    }

    /**
     * Ends the current tick, changes the speed of time if ticks take too long, and skips deadlines that were missed.
     *
     * @param nowNanos    when it is published
     * @param workNanos   how long the thread has worked since it published the tick before
     * @param waitedNanos how much of that it had no core, as far as that is known
     */
    void finish(long nowNanos, long workNanos, long waitedNanos) {
        long tick = nextTick++;
        long untilNanos = beforeClose(nowNanos);
        add(simulatedNanos, timeline.rate().nanosAt(1));
        if (dilation != null) {
            if (dilation.isSlowed()) {
                lose(slowedNanos, timeline.dueNanos(tick) - timeline.dueNanos(tick - 1) - dilation.askedPeriodNanos());
            }
            if (dilation.ticked(workNanos, waitedNanos, untilNanos - timeline.dueNanos(tick + 1))) {
                timeline.scale(tick, dilation.scale(), dilation.pace());
            }
        }
        skipLate(tick, untilNanos);
        if (nowNanos - intervalNanos >= RECENT_NANOS) {
            recentSimulatedNanos = intervalSimulatedNanos;
            recentSkippedNanos = intervalSkippedNanos;
            intervalNanos = nowNanos;
            intervalSimulatedNanos = simulatedNanos.getPlain();
            intervalSkippedNanos = skippedNanos.getPlain();
        }
    }

    /** Skips deadlines, if the next tick is later than the policy allows. */
    private void skipLate(long tick, long nowNanos) {
        long lateNanos = nowNanos - timeline.dueNanos(tick + 1);
        if (dilation == null || skipsAfterNext) {
            long allowedNanos = skipsAfterNext ? 0 : maxLatenessNanos;
            if (lateNanos > allowedNanos) {
                skip(tick, timeline.lastTickDueBefore(nowNanos - allowedNanos) - tick);
            }
        } else if (lateNanos > dilation.hiddenNanos()) {
            delay(tick, lateNanos, nowNanos);
        }
    }

    /** Lets the next tick be due now. */
    private void delay(long tick, long lateNanos, long nowNanos) {
        long missed = timeline.lastTickDueBefore(nowNanos) - tick;
        timeline.skipUntil(tick, timeline.dueNanos(tick) + lateNanos);
        add(skippedTicks, missed - 1); // the next tick is moved and not lost; the others are
        lose(skippedNanos, lateNanos);
    }

    /** Asks for another speed of time from the end of the last tick on. No reader has seen time after that yet. */
    void scale(TimeScale newScale) {
        if (!scale.equals(newScale)) {
            ask(newScale);
            if (!isPaused()) {
                timeline.scale(nextTick - 1, speed());
            }
        }
    }

    /** Whether a speed is not the one that was asked for last. */
    boolean isOther(TimeScale newScale) {
        return !scale.equals(newScale);
    }

    public boolean isSlowed() {
        return dilation != null && dilation.isSlowed();
    }

    /** The speed of time as a share of that asked for, 1 if it is not slowed down. */
    double share() {
        return dilation == null ? 1 : dilation.share();
    }

    boolean asksForRealTime() {
        return scale.equals(TimeScale.ONE);
    }

    /** The share of the time asked for that was simulated of late: at the speed of now, with the skips of the last half second or more. */
    double recentFactor() {
        double simulated = Math.max(1, simulatedNanos.getPlain() - recentSimulatedNanos);
        return 1 / (1 / share() + askedNanos(skippedNanos.getPlain() - recentSkippedNanos) / simulated);
    }

    /** How long a tick takes, as far as that decides about the speed of time. */
    long costNanos() {
        return dilation == null ? 0 : dilation.costNanos();
    }

    /** Whether it matters for the speed of time how much of a tick's work its thread had no core. */
    boolean asksForWaits(long workNanos) {
        return dilation != null && dilation.isBusy(workNanos);
    }

    /** Pauses time from the end of the last tick on. Ticks that are due by now and did not run are skipped. */
    void pause(long nowNanos) {
        countUntil(beforeClose(nowNanos));
        timeline.pause(nextTick - 1);
    }

    /** Counts the time since the last tick was due, but for a part of a tick. */
    private void countUntil(long nanos) {
        long tick = nextTick - 1;
        long missed = timeline.lastTickDueBefore(nanos) - tick;
        if (missed > 0) {
            skip(tick, missed);
        }
        long partNanos = nanos - timeline.dueNanos(tick);
        if (isSlowed() && partNanos > 0) { // a slow tick can be as long as ten others
            lose(slowedNanos, partNanos - (long) (partNanos * share()));
            timeline.skipUntil(tick, nanos); // a close that hangs ends the schedule again
        }
    }

    /**
     * Uses the next tick up for a snapshot without a step: in a pause, or where the tick before is the time of now. Returns when it is due.
     */
    long standAtNextTick(long nowNanos) {
        long tick = nextTick++;
        if (isPaused()) {
            return timeline.standAtNextTick(nowNanos);
        }
        long dueNanos = timeline.dueNanos(tick - 1);
        timeline.restartAt(tick, dueNanos, speed());
        return dueNanos;
    }

    void resume(long nowNanos) {
        timeline.resume(nowNanos, speed());
    }

    /** Closes the run: what would be skipped after that instant does not count. The first call decides. Any thread. */
    public void close(long nanos) {
        closedAtNanos.compareAndSet(null, nanos);
    }

    /** When the run was closed; null if it was not. Any thread. */
    @Nullable
    public Long closedAtNanos() {
        return closedAtNanos.get();
    }

    private long beforeClose(long nanos) {
        Long closed = closedAtNanos.get();
        return closed != null && closed - nanos < 0 ? closed : nanos;
    }

    /** Ends the schedule, when it was closed or else then. Ticks that were due before the end and did not run count as skipped. */
    void end(long endNanos) {
        Long closed = closedAtNanos.get();
        if (!isPaused()) {
            countUntil(closed == null ? endNanos : closed);
        }
    }

    public long skippedTicks() {
        return skippedTicks.getOpaque();
    }

    /** How much time of the clock was skipped. */
    public long skippedNanos() {
        return skippedNanos.getOpaque();
    }

    /** How much longer ticks lasted because time was slowed down. */
    public long slowedNanos() {
        return slowedNanos.getOpaque();
    }

    /** The simulated time of all ticks that ran, divided by what was asked for: the time of the clock without pauses, times the scale. */
    public double realTimeFactor() {
        double simulated = simulatedNanos.getOpaque();
        long lost = lostNanos.getOpaque();
        return lost == 0 ? 1 : simulated / (simulated + lost);
    }

    private void skip(long tick, long missed) {
        long before = timeline.dueNanos(tick + 1);
        timeline.skip(tick, missed);
        add(skippedTicks, missed);
        lose(skippedNanos, timeline.dueNanos(tick + 1) - before);
    }

    /** Counts time of the clock, and what would have been simulated in it. */
    private void lose(AtomicLong clockNanos, long nanos) {
        add(clockNanos, nanos);
        add(lostNanos, (long) askedNanos(nanos));
    }

    /** How much of simulated time was asked for in a time of the clock. */
    private double askedNanos(long nanos) {
        return (double) nanos * scale.numerator() / scale.denominator();
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }
}
