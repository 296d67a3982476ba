package dev.escapement.cluster.aeron;

import org.agrona.collections.LongLongConsumer;

/**
 * Sets the cluster's timers that end the input of the next ticks. Each fires a {@linkplain ClusterNode#leadNanos lead} before its tick is
 * due. The leader keeps the timers; this object knows which are set.
 *
 * <p>Only the thread that reads the log uses it.
 */
final class CutTimers {

    /** Maximum number of timers that are set at the same time, at any tick rate and time scale. */
    static final int MAX_TIMERS = TickRing.MAX_ENTRIES;

    private final LogTime time;
    private final long leadNanos;
    private final LongLongConsumer cluster;

    /**
     * The last tick that has a timer; 0 if none has one, or if all timers are stale. If {@link LogTime#tick} has reached this tick, no
     * timer is set.
     */
    private long lastTick;

    private long lastTimestamp;

    /**
     * Creates timers, none of which is set. {@code cluster} gets a tick and a time stamp, and sets the tick's timer to that time. It
     * replaces an earlier timer of the tick.
     */
    CutTimers(LogTime time, long leadNanos, LongLongConsumer cluster) {
        this.time = time;
        this.leadNanos = leadNanos;
        this.cluster = cluster;
    }

    void makeStale() {
        lastTick = 0;
    }

    /** Sets all timers if none was set yet, or if {@link #makeStale} was called since. */
    void setIfStale() {
        if (lastTick == 0) {
            setMissing();
        }
    }

    /** Sets the missing timers, or all timers if a pause or another scale of time has changed the due times since. */
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
     * Returns whether a tick needs a timer: its input ends within a lead from now, or it is one of the first two ticks after that lead. The
     * lead ends within the first of these two. The second one needs a timer because the first one's may fire before the next timer is set.
     */
    private boolean isWithinLead(long next) {
        return next <= time.tick() + 2 || time.cutTimestamp(next - 2) - time.timestamp() <= leadNanos;
    }
}
