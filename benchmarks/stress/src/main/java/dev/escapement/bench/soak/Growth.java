package dev.escapement.bench.soak;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Judges whether a count grows, of bytes, threads or handles, from samples of it. It looks at the lower envelope, so that neither a saw tooth nor a single outlier counts,
 * and asks that both halves rise, so that a single step does not count: an arena of the C library, or a region of the heap.
 *
 * @param floor a smaller rise is none
 * @param floorShare a rise by a smaller share of the first sample is none
 */
record Growth(double floor, double floorShare) {

    /** Of the heap after collections, in a life that keeps no past. */
    static final Growth HEAP = new Growth(1 << 19, 0);

    /** Of the heap between two lives, in which the JVM still loads and compiles what later lives need. */
    static final Growth HEAP_OF_LIVES = new Growth(2 << 20, 0);

    /** Of the resident memory, in which the arenas of malloc grow with the threads that use them. */
    static final Growth RESIDENT = new Growth(48 << 20, 0.1);

    /** Of threads and handles in a life, in which clients come and go. */
    static final Growth COUNT = new Growth(16, 0);

    /** If there are more samples, neighbours form groups, and the smallest sample of each group counts. */
    private static final int MAX_POINTS = 24;

    /** Fewer show nothing: the first third is left out, and ten points are to be left. */
    static final int LEAST_SAMPLES = 14;

    private static final double MEDIAN = 0.5;

    /** The share of the rise that each half of the samples must have. An even rise has 0.5, less some noise; a buffer that fills up rises less and less. */
    private static final double LEAST_OF_HALF = 0.25;

    /** The share of all pairs of points that has to rise. In noise without a trend, fewer than one series in a thousand has as many. */
    private static final double LEAST_RISING = 0.9;

    /**
     * {@return by how many a unit it grows; empty if it does not, or if there are fewer than {@value #LEAST_SAMPLES} samples}
     *
     * @param at    when the samples were taken, for example in ticks, increasing; the first third is the warm-up
     * @param counts the samples
     */
    OptionalDouble perUnit(double[] at, double[] counts) {
        if (at.length < LEAST_SAMPLES) {
            return OptionalDouble.empty();
        }
        int first = at.length / 3;
        int points = Math.min(MAX_POINTS, at.length - first);
        double[] x = new double[points];
        double[] y = new double[points];
        for (int point = 0; point < points; point++) {
            int least = first + point * (at.length - first) / points;
            for (int i = least; i < first + (point + 1) * (at.length - first) / points; i++) {
                least = counts[i] < counts[least] ? i : least;
            }
            x[point] = at[least];
            y[point] = counts[least];
        }
        double rise = rise(x, y, 0, points, MEDIAN);
        int half = points / 2;
        int third = points / 3;
        boolean grows = rise > Math.max(floor, floorShare * counts[first])
                && rise(x, y, 0, points, 1 - LEAST_RISING) > 0
                && rise(x, y, 0, half, MEDIAN) > LEAST_OF_HALF * rise
                && rise(x, y, half, points, MEDIAN) > LEAST_OF_HALF * rise
                && Arrays.stream(y, points - third, points).min().orElseThrow()
                        > Arrays.stream(y, 0, third).max().orElseThrow();
        return grows ? OptionalDouble.of(rise / (x[points - 1] - x[0])) : OptionalDouble.empty();
    }

    /** A quantile of the slopes of all pairs, times the length; the median is the slope after Theil and Sen. */
    private static double rise(double[] x, double[] y, int from, int to, double quantile) {
        double[] slopes = new double[(to - from) * (to - from - 1) / 2];
        int pair = 0;
        for (int i = from; i < to; i++) {
            for (int j = i + 1; j < to; j++) {
                slopes[pair++] = (y[j] - y[i]) / (x[j] - x[i]);
            }
        }
        Arrays.sort(slopes);
        return slopes[(int) (slopes.length * quantile)] * (x[to - 1] - x[from]);
    }
}
