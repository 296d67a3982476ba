package dev.escapement.cluster.aeron;

import java.util.concurrent.TimeUnit;

/**
 * When ticks are due by this node's clock, and how far it is behind. Depends on this node alone.
 *
 * <p>The clocks of machines differ. As long as cuts arrive from a quarter of the lead before the instant that the leader's
 * clock says to half of the lead after it, they differ by less than matters. Where that is not so, the difference is taken from what
 * arrives: at once if a cut comes before its time, and after {@value #CUTS} cuts in a row if all are late and come as fast as ticks do. Those of a
 * node that catches up come faster, and those of one that falls behind slower, or it has waited for its own physics thread.
 *
 * <p>One thread, except {@link #lagNanos} and {@link #isBehind}.
 */
final class LocalDue {

    private static final int CUTS = 100;

    /** What part of their time cuts take longer to come at most if it is the clocks that differ. */
    private static final int MAX_SLOWER = 64;

    /** A node is behind when it hands ticks over later than this after they were due, until that is halved. */
    private static final long MAX_LAG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long leadNanos;
    private long aheadNanos;
    private int late;
    private long leastNanos;
    private long firstArrivedNanos;
    private long firstTimestamp;

    /** Whether this node has waited for its own physics thread since the last cut: then it says nothing about clocks that the next one is late. */
    private boolean waited;

    // Volatile: any thread sees them soon; nothing else is ordered by them.
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
        if (underWayNanos < -leadNanos / 4) {
            aheadNanos -= underWayNanos;
        }
        if (waited || underWayNanos <= leadNanos / 2) {
            late = 0;
        } else {
            noteLate(underWayNanos, timestamp, arrivedNanos);
        }
        waited = false;
        return dueNanos - aheadNanos;
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
                aheadNanos -= leastNanos;
            }
        }
    }
}
