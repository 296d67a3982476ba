package dev.escapement.cluster.aeron;

/**
 * Converts due times to this node's clock, and measures how far the node is behind. Its results differ from node to node.
 *
 * <p>The clocks of machines differ. A cut is the entry of the log that ends the input of a tick. The leader writes the entry a {@linkplain
 * ClusterNode#leadNanos lead} before the tick is due, so a cut is under way for less than a lead. A cut that seems to arrive before it was
 * written, or later than a lead after that, shows a wrong offset of the leader's clock. The offset is then corrected so that cuts seem to
 * be under way for half a lead. That happens at once for an early cut, and after {@value #CUTS} late cuts in a row that arrive at the rate
 * of the ticks. Late cuts do not change the offset if they arrive faster, because the node then catches up. Nor do they change it if they
 * arrive slower, or after a wait for the physics thread, because the node then falls behind.
 *
 * <p>Only one thread may call any method except {@link #lagNanos}.
 */
final class LocalDue {

    private static final int CUTS = 100;

    /**
     * The clocks of machines differ in rate by less than 1/64. If cuts arrive more slowly than the leader wrote them, by more than 1/64,
     * they are late for another reason.
     */
    private static final int MAX_SLOWER = 64;

    private final long leadNanos;
    private long leaderAheadNanos;
    private int late;
    private long leastNanos;
    private long firstArrivedNanos;
    private long firstTimestamp;

    /**
     * Whether the thread of the log waited for the physics thread since the last cut. Then the next cut is late for that reason, and not
     * because of the clocks.
     */
    private boolean waited;

    // Volatile: any thread sees the lag soon; nothing else is ordered by it.
    private volatile long lagNanos;

    /**
     * Creates the conversion. {@code leaderAheadNanos} is the first estimate of the leader's clock minus this node's monotonic clock; it is
     * exact if the clocks of the machines agree.
     */
    LocalDue(long leaderAheadNanos, long leadNanos) {
        this.leaderAheadNanos = leaderAheadNanos;
        this.leadNanos = leadNanos;
    }

    /** Converts an instant of the leader's clock to this node's clock. The leader may be another node. */
    long local(long timestamp) {
        return timestamp - leaderAheadNanos;
    }

    void waited() {
        waited = true;
    }

    /**
     * Handles the arrival of a cut that the leader wrote at {@code timestamp}. Corrects the clock offset if necessary, and returns the due
     * time by this node's clock.
     */
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

    void handedOver(long localDueNanos, long nowNanos) {
        lagNanos = Math.max(0, nowNanos - localDueNanos);
    }

    /**
     * Returns the time from the due time of the last tick to its handover to the physics thread; 0 if that was in time. Any thread may call
     * it.
     */
    long lagNanos() {
        return lagNanos;
    }
}
