package dev.escapement.bench.cluster;

import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a cluster has shown.
 *
 * @param seconds            how long it ran, from the first tick to the last
 * @param nodes              how many nodes there were
 * @param ticks              the number of the last tick
 * @param leaderKills        how often the leader was killed
 * @param lostTicks          ticks that no node has run
 * @param lostInputs         inputs that were acknowledged and are in no tick
 * @param doubledInputs      inputs that were applied twice
 * @param unequalHashes      ticks after which two nodes had another state, or one node after it was started again
 * @param gapMillis          from the last tick before a kill to the first after it, on the nodes that live
 * @param viewerGapMillis    how long a viewer from outside got no tick around a kill; null if there was none
 * @param viewerErrorMicros  animation error of its frames at 144 Hz, those left out that show what is predicted; null likewise
 * @param latenessMicros     how long after their deadline ticks began, on all nodes, once they had caught up
 * @param corePercentPerNode processor time of each process, 100 for one core
 */
record ClusterResult(
        double seconds,
        int nodes,
        long ticks,
        int leaderKills,
        long lostTicks,
        long lostInputs,
        long doubledInputs,
        long unequalHashes,
        Spread gapMillis,
        @Nullable Spread viewerGapMillis,
        @Nullable Spread viewerErrorMicros,
        Spread latenessMicros,
        List<Double> corePercentPerNode) {

    /** Percentiles of something. */
    record Spread(double p50, double p90, double p99, double max) {

        static Spread of(Histogram nanos, double unitNanos) {
            return new Spread(
                    nanos.getValueAtPercentile(50) / unitNanos,
                    nanos.getValueAtPercentile(90) / unitNanos,
                    nanos.getValueAtPercentile(99) / unitNanos,
                    nanos.getMaxValue() / unitNanos);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "p50 %.1f, p90 %.1f, p99 %.1f, most %.1f.", p50, p90, p99, max);
        }
    }

    /** Whether nothing was lost, doubled or different. */
    boolean isWhole() {
        return lostTicks + lostInputs + doubledInputs + unequalHashes == 0;
    }
}
