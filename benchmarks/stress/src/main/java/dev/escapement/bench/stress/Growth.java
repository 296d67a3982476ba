package dev.escapement.bench.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Judges from samples whether a count of bytes, threads or handles grows. It looks at the lower envelope, so that neither a saw tooth nor a
 * single outlier counts. Both halves must rise, so that a single step, such as a new arena of the C library or a new region of the heap,
 * does not count. One thread.
 */
final class Growth {

    static final double MEGABYTE = 1 << 20;

    /** The maximum of points. With more samples, neighbours form groups, and the smallest sample of each group counts. */
    private static final int MAX_POINTS = 24;

    /** The minimum of samples. The first third is left out, and ten points must remain. */
    static final int LEAST_SAMPLES = 14;

    private static final double MEDIAN = 0.5;

    /**
     * The share of the rise that each half of the samples must have. An even rise has 0.5, less some noise; a buffer that fills up rises
     * less and less.
     */
    private static final double LEAST_OF_HALF = 0.25;

    /** The share of all pairs of points that must rise. In noise without a trend, fewer than one series in a thousand has as many. */
    private static final double LEAST_RISING = 0.9;

    private final double floor;
    private final double floorShare;
    private final String what;
    private final List<Double> at = new ArrayList<>();
    private final List<Double> counts = new ArrayList<>();

    /**
     * Creates a judge without samples.
     *
     * @param floor      a smaller rise does not count
     * @param floorShare a rise by a smaller share of the first sample does not count
     * @param what       the samples, in words
     */
    Growth(double floor, double floorShare, String what) {
        this.floor = floor;
        this.floorShare = floorShare;
        this.what = what;
    }

    /** Creates a judge of the heap after collections, in a life without a history, a log or a stream. */
    static Growth heap() {
        return new Growth(MEGABYTE / 2, 0, "bytes of the heap in a life");
    }

    /** Creates a judge of the resident memory, in which the arenas of malloc grow with the threads that use them. */
    static Growth resident() {
        return new Growth(
                48 * MEGABYTE, 0.1, "bytes of the process after lives, of which malloc may keep more by itself");
    }

    /** Creates a judge of the number of threads or handles in a life in which clients come and go. */
    static Growth count(String what) {
        return new Growth(16, 0, what);
    }

    void add(double when, double count) {
        at.add(when);
        counts.add(count);
    }

    /** Adds a sample, unless it is 0, which means that the system does not report it. Checks for growth once there are enough samples. */
    void add(double when, long count, Check check) {
        if (count > 0) {
            add(when, (double) count);
        }
        if (count > 0 && at.size() >= LEAST_SAMPLES) {
            double perUnit = perUnit();
            check.that(
                    perUnit == 0,
                    () -> String.format(
                            Locale.ROOT,
                            "%s: %,.1f more each time, from %,.0f to %,d in %,.0f times",
                            what,
                            perUnit,
                            counts.get(0),
                            count,
                            when - at.get(0)));
        }
    }

    /** Returns the growth per unit of the samples' time; 0 without growth. The first third of the samples is the warm-up. */
    double perUnit() {
        int first = at.size() / 3;
        int rest = at.size() - first;
        int points = Math.min(MAX_POINTS, rest);
        double[] x = new double[points];
        double[] y = new double[points];
        for (int point = 0; point < points; point++) {
            int least = first + point * rest / points;
            for (int i = least; i < first + (point + 1) * rest / points; i++) {
                least = counts.get(i) < counts.get(least) ? i : least;
            }
            x[point] = at.get(least);
            y[point] = counts.get(least);
        }
        double rise = rise(x, y, 0, points, MEDIAN);
        int half = points / 2;
        int third = points / 3;
        boolean grows = rise > Math.max(floor, floorShare * counts.get(first))
                && rise(x, y, 0, points, 1 - LEAST_RISING) > 0
                && rise(x, y, 0, half, MEDIAN) > LEAST_OF_HALF * rise
                && rise(x, y, half, points, MEDIAN) > LEAST_OF_HALF * rise
                && Arrays.stream(y, points - third, points).min().orElseThrow()
                        > Arrays.stream(y, 0, third).max().orElseThrow();
        return grows ? rise / (x[points - 1] - x[0]) : 0;
    }

    /** Returns a quantile of the slopes of all pairs, times the length; the median is the slope after Theil and Sen. */
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
