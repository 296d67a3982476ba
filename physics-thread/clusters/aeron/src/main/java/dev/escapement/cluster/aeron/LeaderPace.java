package dev.escapement.cluster.aeron;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures on the leader how many of a second's ticks run, and why others do not: the leader is too slow, or the nodes are too far apart
 * for their lead. A term begins with a new object. Only the thread that reads the log uses it.
 */
final class LeaderPace {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLI_NANOS = 1e6;

    /** The slow seconds in a row after which the leader says so, because other programs may take a machine for a second or two. */
    private static final int SLOW_SECONDS = 3;

    /** The longest time between two passes of an idle thread, which sleeps for less than half of it. */
    private static final long MAX_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The share of a second from which on a busy leader is the cause. A build on the same machine takes up to a quarter. */
    private static final double BUSY_SHARE = 0.4;

    private final ClusterNode node;
    private final LogTime time;
    private int slowSeconds;
    private long passedNanos;

    // The fields below describe the current second.
    private long beganNanos;
    private long tickBefore;
    private long skippedBefore;
    private long busyNanos;
    private long leastNanos;

    LeaderPace(ClusterNode node, LogTime time, long nowNanos) {
        this.node = node;
        this.time = time;
        passedNanos = nowNanos;
        beginSecond();
    }

    private void beginSecond() {
        beganNanos = time.nowNanos();
        tickBefore = time.tick();
        skippedBefore = time.skippedNanos();
        busyNanos = 0;
        leastNanos = Long.MAX_VALUE;
    }

    /** Notes a pass of the thread. The node was busy since the pass before if the thread {@code waited} for it, or did not run. */
    void passed(long nowNanos, boolean waited) {
        long sinceNanos = nowNanos - passedNanos;
        busyNanos += waited || sinceNanos > MAX_IDLE_NANOS ? sinceNanos : 0;
        passedNanos = nowNanos;
    }

    /**
     * Notes the cut of a tick, which a majority had stored {@code storedNanos} after it was written. Returns what to log, once, when more
     * than a quarter of each of {@value #SLOW_SECONDS} seconds was skipped, and again only after a second of which nothing was skipped.
     */
    @Nullable
    String cut(long storedNanos) {
        leastNanos = Math.min(leastNanos, storedNanos);
        long tookNanos = time.nowNanos() - beganNanos;
        if (tookNanos < SECOND_NANOS) {
            return null;
        }
        long skippedNanos = time.skippedNanos() - skippedBefore;
        String cause = skippedNanos > tookNanos / 4 ? cause(tookNanos) : null;
        double ticks = (double) (time.tick() - tickBefore) * SECOND_NANOS / tookNanos;
        double wanted = ticks * tookNanos / Math.max(1, tookNanos - skippedNanos);
        boolean isSaid = slowSeconds >= SLOW_SECONDS;
        slowSeconds = cause != null ? slowSeconds + 1 : isSaid && skippedNanos > 0 ? slowSeconds : 0;
        beginSecond();
        return cause == null || slowSeconds != SLOW_SECONDS
                ? null
                : String.format(Locale.ROOT, "only %.0f of %.0f ticks a second run, because %s", ticks, wanted, cause);
    }

    /** Returns null if time is skipped for another cause, for example because other programs take much of all machines. */
    private @Nullable String cause(long tookNanos) {
        if (busyNanos > tookNanos * BUSY_SHARE) {
            return String.format(
                    Locale.ROOT,
                    "node %d, which leads, is too slow: it was stopped or busy for %.0f ms of the last second; give its"
                            + " machine more processor time, or simulate less",
                    node.number(),
                    busyNanos / MILLI_NANOS);
        }
        // The README's formula: 10 ms and 3.5 one-way delays, two of which the least time has.
        return leastNanos <= node.leadNanos()
                ? null
                : String.format(
                        Locale.ROOT,
                        "the nodes are too far apart for a lead of %.0f ms: a majority stores an entry of the log %.0f ms"
                                + " after it is written, or later; give all nodes a lead of %.0f ms",
                        node.leadNanos() / MILLI_NANOS,
                        leastNanos / MILLI_NANOS,
                        10 + leastNanos * 1.75 / MILLI_NANOS);
    }
}
