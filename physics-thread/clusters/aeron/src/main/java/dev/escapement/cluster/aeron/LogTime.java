package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.schedule.TimeRequests;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.function.LongUnaryOperator;

/**
 * Computes the number and due time of the next tick from the log. The results are the same on all nodes.
 *
 * <p>The time stamp of an entry comes from the clock of the leader that wrote it. The clock of the next leader may be behind or ahead. The
 * time of the log then continues without a jump, and never goes back.
 *
 * <p>Only one thread may use it.
 */
final class LogTime {

    private final long leadNanos;
    private final Timeline timeline;
    private final TimeRequests requests;
    private boolean started;
    private long nowNanos;

    /** The time of the log minus the leader's clock. */
    private long shiftNanos;

    private TimeScale scale = TimeScale.ONE;
    private long tick;
    private long skippedNanos;

    LogTime(TickRate rate, long leadNanos) {
        this.leadNanos = leadNanos;
        timeline = new Timeline(rate);
        requests = new TimeRequests(rate);
    }

    void moveTo(long timestamp) {
        nowNanos = Math.max(nowNanos, timestamp + shiftNanos);
    }

    /** Begins the term of another leader. No time of the log passes between the last entry and {@code timestamp}. */
    void newTerm(long timestamp) {
        shiftNanos = nowNanos - timestamp;
    }

    /** Returns the time of the log at the last entry. */
    long nowNanos() {
        return nowNanos;
    }

    /** Returns {@link #nowNanos} by the clock of the leader. */
    long timestamp() {
        return timestamp(nowNanos);
    }

    /** Converts an instant of the log to the clock of the leader. */
    long timestamp(long nanos) {
        return nanos - shiftNanos;
    }

    /** Begins the ticks. Returns false, without effect, if they have begun. */
    boolean start() {
        if (started) {
            return false;
        }
        started = true;
        timeline.start(nowNanos + leadNanos);
        return true;
    }

    /** Whether the next tick has a due time: ticks have begun, and time is not paused. */
    boolean isRunning() {
        return started && !timeline.isPaused();
    }

    boolean standsStill() {
        return timeline.isPaused();
    }

    void request(Batch.Request request) {
        switch (request) {
            case PAUSE -> requests.pause();
            case RESUME -> requests.resume();
            case STEP -> requests.step();
        }
    }

    void request(TimeScale requested) {
        try {
            requests.requestScale(requested);
        } catch (IllegalArgumentException notWithThisRate) {
            // the due times would not fit a long; each node ignores such a scale alike
        }
    }

    /** Resumes a paused time if a resume was requested. Returns whether time has resumed. */
    boolean resume() {
        boolean resumes = timeline.isPaused() && requests.mayResume();
        if (resumes) {
            scale = requests.requestedScale();
            timeline.resume(nowNanos + leadNanos, scale);
        }
        return resumes;
    }

    /**
     * Returns when the input of the tick {@code later} ends by the clock of the leader, unless a pause or another scale of time comes
     * before.
     */
    long cutTimestamp(long later) {
        return timestamp(timeline.dueNanos(later) - leadNanos);
    }

    /** Whether the input of the next tick must end now. */
    boolean isCutDue() {
        return isRunning() && cutTimestamp(tick + 1) <= timestamp();
    }

    /**
     * Ends the input of the next tick now. If the tick's due time has passed, time is skipped.
     *
     * @param toLocal converts a due time of the log into this node's clock
     */
    TickRing.Cut cut(LongUnaryOperator toLocal) {
        long lateNanos = nowNanos + leadNanos - timeline.dueNanos(tick + 1);
        if (lateNanos > leadNanos) {
            timeline.skipUntil(tick, timeline.dueNanos(tick) + lateNanos);
            skippedNanos += lateNanos;
        }
        tick++;
        long fromNanos = timeline.resumeNanos(tick - 1);
        long dueNanos = timeline.dueNanos(tick);
        if (!requests.requestedScale().equals(scale)) {
            scale = requests.requestedScale();
            timeline.changeScale(tick, scale);
        }
        if (requests.endTick()) {
            timeline.pause(tick);
        }
        return new TickRing.Cut(tick, fromNanos, dueNanos, toLocal.applyAsLong(dueNanos), scale, timeline.isPaused());
    }

    /** Returns the last tick whose input has ended. */
    long tick() {
        return tick;
    }

    /** Returns the time that was skipped since this object exists. */
    long skippedNanos() {
        return skippedNanos;
    }

    void save(StateBuffer to) {
        to.put(started).put(nowNanos).put(shiftNanos).put(tick);
        put(scale, to);
        put(requests.requestedScale(), to);
        to.put((long) requests.ticksLeft());
        if (started) {
            to.put(timeline.originTick()).put(timeline.originNanos()).put(timeline.isPaused());
        }
    }

    void restore(StateBuffer from) {
        started = from.getBoolean();
        nowNanos = from.getLong();
        shiftNanos = from.getLong();
        tick = from.getLong();
        scale = getScale(from);
        requests.requestScale(getScale(from));
        requests.resumeFor((int) from.getLong());
        if (started) {
            timeline.startAt(from.getLong(), from.getLong(), scale);
            if (from.getBoolean()) {
                timeline.pause(tick);
            }
        }
    }

    private static void put(TimeScale scale, StateBuffer to) {
        to.put(scale.numerator()).put(scale.denominator());
    }

    private static TimeScale getScale(StateBuffer from) {
        return new TimeScale(from.getLong(), from.getLong());
    }
}
