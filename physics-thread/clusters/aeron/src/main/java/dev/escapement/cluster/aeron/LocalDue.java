package dev.escapement.cluster.aeron;

/**
 * Computes when ticks are due by this node's clock, and how far the node is behind. Its results differ from node to node.
 *
 * <p>The clocks of machines differ. The leader writes a cut a lead before its tick is due, so the cut is under way for less than a lead. If
 * it seems to arrive before it was written, or later than a lead after that, the offset of the leader's clock is corrected, so that cuts
 * seem to be under way for half a lead: at once if a cut is early, and after {@value #CUTS} cuts in a row if all are late and arrive at the
 * rate of the ticks. They arrive faster at a node that catches up, and slower, or after a wait for its physics thread, at a node that falls
 * behind.
 *
 * <p>One thread, except {@link #lagNanos}.
 */
final class LocalDue {

    private static final int CUTS = 100;

    /** If only the clocks differ, cuts arrive slower than they were written by at most this part, 1/64. */
    private static final int MAX_SLOWER = 64;

    private final long leadNanos;
    private long leaderAheadNanos;
    private int late;
    private long leastNanos;
    private long firstArrivedNanos;
    private long firstTimestamp;

    /** Whether the log waited for the physics thread since the last cut: then the next cut is late for that reason, not for the clocks. */
    private boolean waited;

    // Volatile: any thread sees it soon; nothing else is ordered by it.
    private volatile long lagNanos;

    /** {@code leaderAheadNanos}: how far the leader's clock is ahead of this node's monotonic one, if the clocks of the machines agree. */
    LocalDue(long leaderAheadNanos, long leadNanos) {
        this.leaderAheadNanos = leaderAheadNanos;
        this.leadNanos = leadNanos;
    }

    /** Converts an instant of the leader's clock to this node's clock. The leader may be another node. */
    long local(long timestamp) {
        return timestamp - leaderAheadNanos;
    }

    /** Notes that the log waited for the physics thread. */
    void waited() {
        waited = true;
    }

    /** A cut, which the leader wrote at {@code timestamp}, has arrived: corrects the clock if needed, then converts the due time. */
    long arrived(long dueTimestamp, long timestamp, long arrivedNanos) {
        long underWayNanos = arrivedNanos - local(timestamp);
        if (underWayNanos < 0) {
            leaderAheadNanos -= underWayNanos - leadNanos / 2;
        }
        if (waited || underWayNanos <= leadNanos) {
            late = 0;
        } else {
            noteLate(underWayNanos, timestamp, arrivedNanos);
        }
        waited = false;
        return local(dueTimestamp);
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
                leaderAheadNanos -= leastNanos - leadNanos / 2;
            }
        }
    }

    /** A tick was handed over to the physics thread. */
    void handedOver(long localDueNanos, long nowNanos) {
        lagNanos = Math.max(0, nowNanos - localDueNanos);
    }

    /** How long after it was due the last tick was handed over; 0 if it was in time. Any thread. */
    long lagNanos() {
        return lagNanos;
    }
}
