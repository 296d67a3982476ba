package dev.escapement.cluster.aeron;

import java.util.concurrent.TimeUnit;

/**
 * Computes when ticks are due by this node's clock, and how far the node is behind. Its results differ from node to node.
 *
 * <p>The clocks of machines differ, and a cut is under way for some time: for half to all of a measured round trip, which goes to the
 * leader, from there to a majority and back, and to this node again; three quarters if all are equally distant. The offset of the leader's
 * clock is corrected, so that cuts seem to be under way for three quarters, when a cut arrives outside of what a round trip explains:
 * after less than a quarter of it, or more than half of the lead after all of it. It is corrected at once if a cut is early, and after
 * {@value #CUTS} cuts in a row if all are late and arrive at the rate of the ticks: they arrive faster at a node that catches up, and
 * slower, or after a wait for its physics thread, at a node that falls behind.
 *
 * <p>One thread, except {@link #lagNanos}, {@link #isBehind} and the round trip.
 */
final class LocalDue {

    private static final int CUTS = 100;
    private static final long WAITS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** If only the clocks differ, cuts arrive slower than they were written by at most this part, 1/64. */
    private static final int MAX_SLOWER = 64;

    /** A node is behind when it hands ticks over later than this after they were due, until it is below half of it. */
    private static final long MAX_LAG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long leadNanos;
    private long aheadNanos;
    private int late;
    private long leastNanos;
    private long firstArrivedNanos;
    private long firstTimestamp;

    /** Whether the log waited for the physics thread since the last cut: then the next cut is late for that reason, not for the clocks. */
    private boolean waited;

    // Volatile: any thread sees them soon; nothing else is ordered by them.
    private volatile long roundTripNanos;
    private volatile boolean isBehind;
    private volatile long lagNanos;

    LocalDue(long aheadNanos, long leadNanos) {
        this.aheadNanos = aheadNanos;
        this.leadNanos = leadNanos;
    }

    void waited() {
        waited = true;
    }

    long of(long dueNanos, long timestamp, long arrivedNanos) {
        long underWayNanos = arrivedNanos - (timestamp - aheadNanos);
        if (underWayNanos < roundTripNanos / 4 - earlyNanos()) {
            aheadNanos -= underWayNanos - delayNanos();
        }
        if (waited || underWayNanos <= roundTripNanos + leadNanos / 2) {
            late = 0;
        } else {
            noteLate(underWayNanos, timestamp, arrivedNanos);
        }
        waited = false;
        return dueNanos - aheadNanos;
    }

    /** The round trip has some of the client's waits: what is less than half of it by so much more may be without them. */
    private long earlyNanos() {
        return roundTripNanos == 0 ? leadNanos / 4 : Math.min(leadNanos / 4, WAITS_NANOS);
    }

    /** The least time that a batch of this node took to the cluster and back lately; 0 if that is not known. Any thread. */
    void roundTrip(long nanos) {
        roundTripNanos = nanos;
    }

    /** How long a cut is under way from the leader to this node. Any thread. */
    long delayNanos() {
        return roundTripNanos / 4 * 3;
    }

    /** A tick was handed over to the physics thread. */
    void handedOver(long localDueNanos, long nowNanos) {
        lagNanos = Math.max(0, nowNanos - localDueNanos);
        isBehind = lagNanos > (isBehind ? MAX_LAG_NANOS / 2 : MAX_LAG_NANOS);
    }

    /** Whether this node has fallen behind, and has not caught up. Any thread. */
    boolean isBehind() {
        return isBehind;
    }

    /** How long after it was due the last tick was handed over; 0 if it was in time. Any thread. */
    long lagNanos() {
        return lagNanos;
    }

    private void noteLate(long underWayNanos, long timestamp, long arrivedNanos) {
        if (late == 0) {
            firstArrivedNanos = arrivedNanos;
            firstTimestamp = timestamp;
            leastNanos = underWayNanos;
        }
        late++;
        leastNanos = Math.min(leastNanos, underWayNanos);
        if (late == CUTS) {
            late = 0;
            long tookNanos = arrivedNanos - firstArrivedNanos;
            long writtenNanos = timestamp - firstTimestamp;
            if (tookNanos > writtenNanos / 2 && tookNanos < writtenNanos + writtenNanos / MAX_SLOWER) {
                aheadNanos -= leastNanos - delayNanos();
            }
        }
    }
}
