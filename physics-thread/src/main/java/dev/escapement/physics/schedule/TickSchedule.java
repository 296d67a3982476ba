package dev.escapement.physics.schedule;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a run: the number of the next tick, and when it is due.
 *
 * <p>{@link #finish} ends each tick: it slows time down or skips deadlines that were missed, by the {@link LateTicks} policy. Pauses and
 * scale change the timeline at the end of a tick or, if the next one {@linkplain #isFar is far away}, within it. Tick numbers stay
 * consecutive.
 *
 * <p>Physics thread only, except the {@link #account} and {@link #close}, which any thread may call; {@link #start} is called before that
 * thread runs, and {@link #end} perhaps by the thread that has abandoned it.
 */
public final class TickSchedule {

    /** The interval at which requests are served while time stands still, or slow motion makes the next tick far away. */
    public static final long LOOK_NANOS = 10_000_000;

    /** Due times of one tick that were rounded from different origins of the timeline differ by less than this. */
    private static final long ROUNDING_NANOS = 1000;

    /** The account of time so far. Any thread. */
    public final TimeAccount account = new TimeAccount();

    private final Timeline timeline;
    final Dilation dilation;
    private long nextTick;
    private boolean skipsAfterNext;

    private TimeScale scale = TimeScale.ONE;

    // Null until closed. Compare-and-set: of several threads that close, the first decides. Volatile: the physics
    // thread reads it at the end of the tick in which another thread closes, and must not count later time as skipped.
    private final AtomicReference<@Nullable Long> closedAtNanos = new AtomicReference<>();

    public TickSchedule(TickRate rate, LateTicks lateTicks, long firstTick) {
        timeline = new Timeline(rate);
        dilation = new Dilation(rate, lateTicks);
        nextTick = firstTick;
    }

    public void start(long nanos, TimeScale startScale) {
        request(startScale);
        timeline.startAt(nextTick - 1, nanos, dilation.scale());
        account.start(nanos);
    }

    private void request(TimeScale newScale) {
        scale = newScale;
        dilation.request(newScale);
    }

    public Timeline timeline() {
        return timeline;
    }

    public long nextPublishedTick() {
        return nextTick;
    }

    public long nextDueNanos() {
        return timeline.dueNanos(nextTick);
    }

    /** The length of a tick by the rate and the requested speed of time. */
    public long periodNanos() {
        return dilation.periodNanos();
    }

    /**
     * Whether the next tick is so far away that requests are served before it: in slow motion only, and from two intervals of
     * {@link #LOOK_NANOS} on. At full speed requests wait for the next tick, however low the rate is.
     */
    public boolean isFar(long nowNanos) {
        return (scale.numerator() < scale.denominator() || isSlowed()) && nextDueNanos() - nowNanos > 2 * LOOK_NANOS;
    }

    public boolean isPaused() {
        return timeline.isPaused();
    }

    /** Whether the tick after the next one is due at or after an instant. */
    public boolean isLastBefore(long nanos) {
        return timeline.dueNanos(nextTick + 1) - nanos >= -ROUNDING_NANOS;
    }

    /** Sets whether the end of the next tick skips all deadlines that have passed, whatever the policy. */
    public void skipAfterNext(boolean skips) {
        skipsAfterNext = skips;
    }

    /**
     * Moves the next tick to its due time in the source log, and all later ticks with it; before the first tick, also sets its number. Once
     * a tick has moved, this schedule never slows time down itself.
     */
    public void moveNext(long number, long dueNanos) {
        if (number != nextTick) {
            endDilation();
            long periodNanos = nextDueNanos() - timeline.dueNanos(nextTick - 1);
            nextTick = number;
            timeline.restartAt(number - 1, dueNanos - periodNanos, scale);
            return;
        }
        long laterNanos = dueNanos - nextDueNanos();
        if (Math.abs(laterNanos) <= ROUNDING_NANOS) {
            return; // only rounding, which does not accumulate, because each tick is compared with the source anew
        }
        endDilation();
        laterNanos = dueNanos - nextDueNanos(); // again, because the end of a dilation moves the tick
        long tick = nextTick - 1;
        long fromNanos = timeline.dueNanos(tick) + laterNanos;
        if (laterNanos > 0) {
            timeline.skipUntil(tick, fromNanos);
            account.skip(laterNanos / (timeline.dueNanos(tick + 1) - fromNanos), laterNanos, scale);
        } else {
            timeline.restartAt(tick, fromNanos, scale);
        }
    }

    private void endDilation() {
        if (isSlowed()) {
            timeline.changeScale(nextTick - 1, scale);
        }
        dilation.end();
    }

    /**
     * Ends the current tick, changes the speed of time if ticks take too long, and skips what is late beyond the bound.
     *
     * @param nowNanos  when the tick is published
     * @param workNanos the work of the thread since it published the tick before
     */
    public void finish(long nowNanos, long workNanos) {
        long tick = nextTick++;
        long untilNanos = beforeClose(nowNanos);
        account.simulate(timeline.rate().nanosAt(1));
        countSlowed(tick, timeline.dueNanos(tick));
        if (dilation.ticked(workNanos, untilNanos - timeline.dueNanos(tick + 1))) {
            timeline.changeScale(tick, dilation.scale(), dilation.pace());
        }
        skipLate(tick, untilNanos);
        account.tickEnded(nowNanos);
    }

    /** Skips time if the next tick is later than the policy allows: whole periods if the due times must keep their phase. */
    private void skipLate(long tick, long nowNanos) {
        long allowedNanos = skipsAfterNext ? 0 : dilation.maxLatenessNanos();
        long lateNanos = nowNanos - timeline.dueNanos(tick + 1);
        if (dilation.maySlow() && lateNanos / 2 > allowedNanos) {
            allowedNanos = 0; // a stall: the picture stood still, and would jump by all ticks that catch up
        }
        if (lateNanos > allowedNanos) {
            long missed = timeline.lastTickDueBefore(nowNanos - allowedNanos) - tick;
            if (skipsAfterNext || !dilation.maySlow()) {
                skip(tick, missed);
            } else {
                timeline.skipUntil(tick, timeline.dueNanos(tick) + lateNanos - allowedNanos);
                account.skip(missed - 1, lateNanos - allowedNanos, scale); // - 1: the next tick is moved, not skipped
            }
        }
    }

    /** Changes the requested speed from the end of the last tick on. No reader has seen time after that tick yet. */
    public void scale(TimeScale newScale) {
        if (!scale.equals(newScale)) {
            request(newScale);
            if (!isPaused()) {
                timeline.changeScale(nextTick - 1, dilation.scale());
            }
        }
    }

    /** Changes the requested speed within a tick. */
    public void scaleWithin(long nowNanos, TimeScale newScale) {
        countSlowed(nextTick, nowNanos);
        request(newScale);
        timeline.changeScaleWithin(nowNanos, nextTick, dilation.scale());
    }

    /** Pauses time within a tick. */
    public void pauseWithin(long nowNanos) {
        countSlowed(nextTick, nowNanos);
        timeline.pauseWithin(nowNanos, nextTick);
    }

    /** Counts what slow motion has cost in a tick until an instant, since the tick began or time changed within it. */
    private void countSlowed(long tick, long nanos) {
        long startNanos = timeline.dueNanos(tick - 1);
        long partNanos = nanos - Math.max(startNanos, timeline.startNanos());
        if (isSlowed() && partNanos > 0) {
            double part = (double) partNanos / (timeline.dueNanos(tick) - startNanos);
            account.slow(partNanos - (long) (part * dilation.periodNanos()), scale);
        }
    }

    public boolean isOther(TimeScale newScale) {
        return !scale.equals(newScale);
    }

    public boolean isSlowed() {
        return dilation.isSlowed();
    }

    /** The length of a tick at the present speed of time. */
    public long tickNanos() {
        return (long) dilation.lengthNanos();
    }

    /** The time that a tick costs if that is longer than a period; else 0. */
    public long longStepNanos() {
        long costNanos = dilation.costNanos();
        return costNanos < periodNanos() ? 0 : costNanos;
    }

    /** The recent speed as a share of the requested one. */
    public double recentFactor() {
        return account.recentFactor(dilation.share(), scale);
    }

    /** Pauses time from the end of the last tick on. Ticks that are due by now and did not run are skipped. */
    public void pause(long nowNanos) {
        countUntil(beforeClose(nowNanos));
        timeline.pause(nextTick - 1);
    }

    /**
     * Skips the ticks that were due by now and did not run. In slow motion, also counts the time that was lost in the unfinished tick after
     * them.
     */
    private void countUntil(long nanos) {
        long tick = nextTick - 1;
        long missed = timeline.lastTickDueBefore(nanos) - tick;
        if (missed > 0) {
            skip(tick, missed);
        }
        if (isSlowed() && nanos - timeline.dueNanos(tick) > 0) { // counted, because a slowed tick can last ten periods
            countSlowed(nextTick, nanos);
            timeline.skipUntil(tick, nanos); // else end() would count this time again, after a close that hangs
        }
    }

    /**
     * Spends the next tick number on a snapshot without a step. Returns its due time: in a pause {@code nowNanos} or later, otherwise the
     * due time of the tick before.
     */
    public long standAtNextTick(long nowNanos) {
        long tick = nextTick++;
        if (isPaused()) {
            // The part of a tick that the pause stopped; else 0.
            account.simulate(
                    timeline.simNanosAt(timeline.startNanos()) - timeline.rate().nanosAt(tick - 1));
            return timeline.standAtNextTick(nowNanos);
        }
        long dueNanos = timeline.dueNanos(tick - 1);
        timeline.restartAt(tick, dueNanos, dilation.scale());
        return dueNanos;
    }

    public void resume(long nowNanos) {
        timeline.resume(nowNanos, dilation.scale());
    }

    /** Closes the run: time after that instant does not count as skipped. The first call decides. Any thread. */
    public void close(long nanos) {
        closedAtNanos.compareAndSet(null, nanos);
    }

    private long beforeClose(long nanos) {
        Long closed = closedAtNanos.get();
        return closed != null && closed - nanos < 0 ? closed : nanos;
    }

    /** Ends the schedule at its close, or now if it was not closed. Ticks that were due before the end and did not run count as skipped. */
    public void end(long endNanos) {
        Long closed = closedAtNanos.get();
        if (!isPaused()) {
            countUntil(closed == null ? endNanos : closed);
        }
    }

    private void skip(long tick, long missed) {
        long before = timeline.dueNanos(tick + 1);
        timeline.skip(tick, missed);
        account.skip(missed, timeline.dueNanos(tick + 1) - before, scale);
    }
}
