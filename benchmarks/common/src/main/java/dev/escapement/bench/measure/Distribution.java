package dev.escapement.bench.measure;

import dev.escapement.render.tools.AnimationError;
import java.util.function.DoubleToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * A distribution of durations in nanoseconds. One thread records durations without allocating. Other threads may read the distribution
 * after that thread has ended.
 */
public final class Distribution {

    private static final long MAX_NANOS = 3_600_000_000_000L;

    private final Histogram histogram = new Histogram(MAX_NANOS, 3);

    /** Adds a duration; negative ones count as 0. */
    public void record(long nanos) {
        histogram.recordValue(Math.max(0, Math.min(nanos, MAX_NANOS)));
    }

    void reset() {
        histogram.reset();
    }

    public Histogram histogram() {
        return histogram;
    }

    /** The mean, percentiles and maximum for the JSON file. */
    public Summary summary() {
        return Summary.of(histogram);
    }

    /**
     * A distribution in five numbers.
     *
     * @param mean microseconds
     * @param p50  microseconds
     * @param p99  microseconds
     * @param p999 microseconds
     * @param max  microseconds
     */
    public record Summary(double mean, double p50, double p99, double p999, double max) {

        /** Summarizes nanoseconds in five numbers; all 0 if there are none. */
        public static Summary of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? new Summary(0, 0, 0, 0, 0)
                    : ofNanos(nanos.getMean(), nanos::getValueAtPercentile, nanos.getMaxValue());
        }

        public static Summary of(AnimationError error) {
            // The maximum is exact, but percentiles have 3 digits and so may be rounded above it. The larger value is
            // taken.
            long maxNanos = Math.max(error.maxNanos(), error.percentileNanos(99.9));
            return ofNanos(error.meanNanos(), error::percentileNanos, maxNanos);
        }

        private static Summary ofNanos(double mean, DoubleToLongFunction percentile, long max) {
            return new Summary(
                    Math.round(mean) / 1e3,
                    percentile.applyAsLong(50) / 1e3,
                    percentile.applyAsLong(99) / 1e3,
                    percentile.applyAsLong(99.9) / 1e3,
                    max / 1e3);
        }
    }
}
