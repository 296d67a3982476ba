package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a run: the number of the next tick, and when it is due.
 *
 * <p>{@link #finish} ends each tick: it slows time down or skips deadlines that were missed, by the {@link LateTicks} policy. Pauses and
 * scale change the timeline between two ticks. Tick numbers stay consecutive.
 *
 * <p>Physics thread only, except the counts, {@link #realTimeFactor()}, {@link #close} and {@link #closedAtNanos()}, which any thread may
 * call; {@link #start} comes before that thread, and {@link #end} may come from the one that has abandoned it.
 */
public final class TickSchedule {

    /** The interval at which requests are served while time stands still, or slow motion makes the next tick far away. */
    public static final long LOOK_NANOS = 10_000_000;

    /** Due times that were rounded from different origins differ by less than this. */
    private static final long ROUNDING_NANOS = 1000;

    /** The length of the intervals of {@link #recentFactor()}: a skip lowers it for one to two of them. */
    private static final long RECENT_NANOS = 500_000_000;

    private final Timeline timeline;
    private final long maxLatenessNanos;
    private long nextTick;
    private boolean skipsAfterNext;

    /** The requested speed. */
    private TimeScale scale = TimeScale.ONE;

    /** Null if nothing slows time down: the policy is another one, or the due times are those of a source log. */
    private @Nullable Dilation dilation;

    // Opaque: the physics thread alone writes them, no reader sees half of a number; nothing else is ordered by them.
    private final AtomicLong skippedTicks = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();
    private final AtomicLong slowedNanos = new AtomicLong();
    private final AtomicLong simulatedNanos = new AtomicLong();

    /** Simulated time that slow motion and skips have cost, by the requested speed of each moment. */
    private final AtomicLong lostNanos = new AtomicLong();

    // Null until closed. Compare-and-set: of several threads that close, the first decides. Volatile: the physics
    // thread reads it at the end of the tick in which another thread closes, and must not count later time as skipped.
    private final AtomicReference<@Nullable Long> closedAtNanos = new AtomicReference<>();

    // The counts at the start of two intervals of RECENT_NANOS: the current one, and the one before it (recent).
    private long intervalNanos;
    private long intervalSimulatedNanos;
    private long intervalSkippedNanos;
    private long recentSimulatedNanos;
    private long recentSkippedNanos;

    /**
     * Creates a schedule that has not started.
     *
     * @param windowSize the number of snapshots in a window
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
        request(startScale);
        timeline.startAt(nextTick - 1, nanos, speed());
        intervalNanos = nanos;
    }

    private void request(TimeScale newScale) {
        scale = newScale;
        if (dilation != null) {
            dilation.request(newScale);
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

    /** The length of a tick by the rate and the requested speed of time. */
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

    /** Whether the tick after the next one is due at or after an instant. */
    public boolean isLastBefore(long nanos) {
        return timeline.dueNanos(nextTick + 1) - nanos >= -ROUNDING_NANOS;
    }

    /** Makes the next tick skip, or not, all deadlines that have passed at its end, whatever the policy. */
    public void skipAfterNext(boolean skips) {
        skipsAfterNext = skips;
    }

    /**
     * Moves the next tick and all later ones to the due time of the source log; before the first tick, also sets its number. Once a tick
     * has moved, nothing slows time down here.
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
            return; // does not accumulate: each due time is compared with that of the source
        }
        endDilation();
        laterNanos = dueNanos - nextDueNanos(); // again, because the end of a dilation moves the tick
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
     * @param nowNanos    when the tick is published
     * @param workNanos   the work of the thread since it published the tick before
     * @param waitedNanos the part of it in which the thread had no core; 0 if that was not measured
     */
    void finish(long nowNanos, long workNanos, long waitedNanos) {
        long tick = nextTick++;
        long untilNanos = beforeClose(nowNanos);
        add(simulatedNanos, timeline.rate().nanosAt(1));
        if (dilation != null) {
            if (dilation.isSlowed()) {
                lose(slowedNanos, timeline.dueNanos(tick) - timeline.dueNanos(tick - 1) - dilation.periodNanos());
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

    /** Skips deadlines if the next tick is later than the policy allows. */
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

    /** Makes the next tick due now. */
    private void delay(long tick, long lateNanos, long nowNanos) {
        long missed = timeline.lastTickDueBefore(nowNanos) - tick;
        timeline.skipUntil(tick, timeline.dueNanos(tick) + lateNanos);
        add(skippedTicks, missed - 1); // the next tick is moved and not lost; the others are
        lose(skippedNanos, lateNanos);
    }

    /** Changes the requested speed from the end of the last tick on. No reader has seen time after that yet. */
    void scale(TimeScale newScale) {
        if (!scale.equals(newScale)) {
            request(newScale);
            if (!isPaused()) {
                timeline.scale(nextTick - 1, speed());
            }
        }
    }

    /** Whether a speed differs from the requested one. */
    boolean isOther(TimeScale newScale) {
        return !scale.equals(newScale);
    }

    public boolean isSlowed() {
        return dilation != null && dilation.isSlowed();
    }

    /** The speed of time as a share of the requested speed; 1 if time is not slowed down. */
    double share() {
        return dilation == null ? 1 : dilation.share();
    }

    boolean asksForRealTime() {
        return scale.equals(TimeScale.ONE);
    }

    /** The recent speed as a share of the requested one: the present speed, less the skips of the last half second or more. */
    double recentFactor() {
        double simulated = Math.max(1, simulatedNanos.getPlain() - recentSimulatedNanos);
        return 1 / (1 / share() + requestedNanos(skippedNanos.getPlain() - recentSkippedNanos) / simulated);
    }

    /** The time that a tick needs by {@link Dilation}; 0 without it. */
    long costNanos() {
        return dilation == null ? 0 : dilation.costNanos();
    }

    /** Whether {@link #finish} needs the waits of the thread for a core in a tick of this work. */
    boolean asksForWaits(long workNanos) {
        return dilation != null && dilation.isBusy(workNanos);
    }

    /** Pauses time from the end of the last tick on. Ticks that are due by now and did not run are skipped. */
    void pause(long nowNanos) {
        countUntil(beforeClose(nowNanos));
        timeline.pause(nextTick - 1);
    }

    /** Skips the whole ticks since the last one was due, and counts a part of a slowed one. */
    private void countUntil(long nanos) {
        long tick = nextTick - 1;
        long missed = timeline.lastTickDueBefore(nanos) - tick;
        if (missed > 0) {
            skip(tick, missed);
        }
        long partNanos = nanos - timeline.dueNanos(tick);
        if (isSlowed() && partNanos > 0) { // a slow tick can be as long as ten others
            lose(slowedNanos, partNanos - (long) (partNanos * share()));
            timeline.skipUntil(tick, nanos); // no second count where a close that hangs ends the schedule again
        }
    }

    /**
     * Spends the next tick number on a snapshot without a step, and returns its due time: in a pause the present, else that of the tick
     * before.
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

    /** Closes the run: time after that instant does not count as skipped. The first call decides. Any thread. */
    public void close(long nanos) {
        closedAtNanos.compareAndSet(null, nanos);
    }

    /** The instant of the close; null before it. Any thread. */
    @Nullable
    public Long closedAtNanos() {
        return closedAtNanos.get();
    }

    private long beforeClose(long nanos) {
        Long closed = closedAtNanos.get();
        return closed != null && closed - nanos < 0 ? closed : nanos;
    }

    /** Ends the schedule at its close, or now if it was not closed. Ticks that were due before the end and did not run count as skipped. */
    void end(long endNanos) {
        Long closed = closedAtNanos.get();
        if (!isPaused()) {
            countUntil(closed == null ? endNanos : closed);
        }
    }

    public long skippedTicks() {
        return skippedTicks.getOpaque();
    }

    /** Nanoseconds of the clock that were skipped. Any thread. */
    public long skippedNanos() {
        return skippedNanos.getOpaque();
    }

    /** Nanoseconds of the clock by which slow motion has prolonged ticks. Any thread. */
    public long slowedNanos() {
        return slowedNanos.getOpaque();
    }

    /** Simulated over requested time: the clock's time without pauses, times the requested speed. Any thread. */
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

    /** Counts lost time of the clock, and the simulated time that was requested for it. */
    private void lose(AtomicLong clockNanos, long nanos) {
        add(clockNanos, nanos);
        add(lostNanos, (long) requestedNanos(nanos));
    }

    /** Converts time of the clock into simulated time, by the requested speed. */
    private double requestedNanos(long nanos) {
        return (double) nanos * scale.numerator() / scale.denominator();
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }
}
