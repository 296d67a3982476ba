package dev.escapement.cluster.aeron;

import org.agrona.collections.LongLongConsumer;

/**
 * Sets the cluster's timers that end the input of the next ticks, each a lead before its tick is due. The leader keeps the timers; this
 * object knows which are set.
 *
 * <p>One thread, the log's.
 */
final class CutTimers {

    /** Maximum number of timers that are set at once, at any rate and scale. */
    static final int MAX_TIMERS = TickRing.MAX_ENTRIES;

    private final LogTime time;
    private final long leadNanos;
    private final LongLongConsumer cluster;

    /** The last tick that has a timer. If {@link LogTime#tick} has reached it, no timer is set. */
    private long lastTick;

    private long lastTimestamp;

    /**
     * Creates timers, none of which is set. {@code cluster} sets the timer of a tick to a time stamp, and replaces an earlier one of the
     * tick.
     */
    CutTimers(LogTime time, long leadNanos, LongLongConsumer cluster) {
        this.time = time;
        this.leadNanos = leadNanos;
        this.cluster = cluster;
    }

    void makeStale() {
        lastTick = 0;
    }

    /** Sets all timers if none is set, or all are stale. */
    void setIfStale() {
        if (lastTick == 0) {
            setMissing();
        }
    }

    /** Sets the missing timers, or all timers if time has changed since. */
    void setMissing() {
        if (lastTick > time.tick() && lastTimestamp != time.cutTimestamp(lastTick)) {
            lastTick = 0;
        }
        long next = Math.max(lastTick, time.tick()) + 1;
        while (time.isRunning() && next <= time.tick() + MAX_TIMERS && isWithinLead(next)) {
            lastTimestamp = time.cutTimestamp(next);
            cluster.accept(next, lastTimestamp);
            lastTick = next++;
        }
    }

    /**
     * Returns whether a tick needs a timer: its input ends within a lead, or it is one of the two ticks after. The lead ends within the
     * first of these two; the second is necessary because a timer may fire before the next one is set.
     */
    private boolean isWithinLead(long next) {
        return next <= time.tick() + 2 || time.cutTimestamp(next - 2) - time.timestamp() <= leadNanos;
    }
}
