package dev.escapement.cluster.aeron;

import org.agrona.collections.LongLongConsumer;

/**
 * Sets the cluster's timers that cut the next ticks, a lead ahead. The leader keeps the timers; this knows which are set.
 *
 * <p>One thread, the log's.
 */
final class CutTimers {

    /** At most this many timers are set at once, at any rate and scale. */
    static final int MAX_TIMERS = TickRing.MAX_ENTRIES;

    private final LogTime time;
    private final long leadNanos;
    private final LongLongConsumer cluster;

    /** The last tick that has a timer, and when that fires. If it is not above the last tick that was cut, none is set. */
    private long lastTick;

    private long lastTimestamp;

    /** {@code cluster} sets the timer of a tick, at a time stamp; one that was set for the same tick is replaced. */
    CutTimers(LogTime time, long leadNanos, LongLongConsumer cluster) {
        this.time = time;
        this.leadNanos = leadNanos;
        this.cluster = cluster;
    }

    /** From now on no timer counts as set. */
    void makeStale() {
        lastTick = 0;
    }

    /** Sets all timers if none counts as set. */
    void setIfStale() {
        if (lastTick == 0) {
            setMissing();
        }
    }

    /** Sets the timers that are missing, or all if time has changed since. */
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
     * Returns whether a tick needs a timer: if it is cut within a lead, or is one of the two after. The lead ends within the first of them;
     * the second is there because a timer may fire before the next one is set.
     */
    private boolean isWithinLead(long next) {
        return next <= time.tick() + 2 || time.cutTimestamp(next - 2) - time.timestamp() <= leadNanos;
    }
}
