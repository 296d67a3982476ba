package dev.escapement.cluster.aeron;

/**
 * When ticks are due by this node's clock. Depends on this node alone.
 *
 * <p>The clocks of machines differ. As long as cuts arrive from a quarter of the lead before the instant that the leader's
 * clock says to half of the lead after it, they differ by less than matters. Where that is not so, the difference is taken from what
 * arrives: at once if a cut comes before its time, and after {@value #CUTS} cuts in a row if all are late, which those of a node that
 * catches up are not: they come faster than ticks.
 *
 * <p>One thread.
 */
final class LocalDue {

    private static final int CUTS = 100;
    private final long leadNanos;
    private long aheadNanos;
    private int late;
    private long leastNanos;
    private long firstArrivedNanos;
    private long firstTimestamp;

    LocalDue(long aheadNanos, long leadNanos) {
        this.aheadNanos = aheadNanos;
        this.leadNanos = leadNanos;
    }

    long of(long dueNanos, long timestamp, long arrivedNanos) {
        long underWayNanos = arrivedNanos - (timestamp - aheadNanos);
        if (underWayNanos < -leadNanos / 4) {
            aheadNanos -= underWayNanos;
        }
        if (underWayNanos <= leadNanos / 2) {
            late = 0;
        } else {
            noteLate(underWayNanos, timestamp, arrivedNanos);
        }
        return dueNanos - aheadNanos;
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
            if (arrivedNanos - firstArrivedNanos > (timestamp - firstTimestamp) / 2) {
                aheadNanos -= leastNanos;
            }
        }
    }
}
