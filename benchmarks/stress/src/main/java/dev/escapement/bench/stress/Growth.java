package dev.escapement.bench.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Judges from samples whether a count of bytes, threads or handles grows. Uses the lowest samples only, so that neither a saw tooth nor a
 * single high sample counts. The count must rise in both halves of the samples, because a single step, such as a new malloc arena or heap
 * region, is no leak. One thread.
 */
final class Growth {

    static final double MEGABYTE = 1 << 20;

    /** The maximum number of points. With more samples, each point is the smallest sample of a group of neighbours. */
    private static final int MAX_POINTS = 24;

    /** The minimum number of samples for a verdict. The first third is left out as warm-up, so this leaves ten. */
    static final int LEAST_SAMPLES = 14;

    private static final double MEDIAN = 0.5;

    /**
     * The minimum rise of each half, as a share of the whole rise. With a steady rise each half has 0.5, less some noise. A buffer that
     * fills up rises less and less, so its second half has less.
     */
    private static final double LEAST_OF_HALF = 0.25;

    /**
     * The share of all pairs of points whose later point must be higher. Noise without a trend reaches this in fewer than one series in a
     * thousand.
     */
    private static final double LEAST_RISING = 0.9;

    private final double floor;
    private final double floorShare;
    private final String what;
    private final List<Double> at = new ArrayList<>();
    private final List<Double> counts = new ArrayList<>();

    /**
     * Creates a judge without samples.
     *
     * @param floor      the smallest rise that counts
     * @param floorShare the smallest rise that counts, as a share of the first sample
     * @param what       what is sampled, for messages
     */
    Growth(double floor, double floorShare, String what) {
        this.floor = floor;
        this.floorShare = floorShare;
        this.what = what;
    }

    /** Judges the heap after collections, in a life whose memory must be flat. */
    static Growth heap() {
        return new Growth(MEGABYTE / 2, 0, "bytes of the heap in a life");
    }

    /** Judges the resident memory of the process. Its limit is higher, because malloc keeps an arena for each of many threads. */
    static Growth resident() {
        return new Growth(
                48 * MEGABYTE, 0.1, "bytes of the process after lives, of which malloc may keep more by itself");
    }

    /** Judges the number of threads or open handles in a life, in which clients come and go. */
    static Growth count(String what) {
        return new Growth(16, 0, what);
    }

    void add(double when, double count) {
        at.add(when);
        counts.add(count);
    }

    /**
     * Adds a sample, and checks for growth once there are enough samples. A count of 0 means that the system does not report it, and is
     * left out.
     */
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

    /** Returns the growth per unit of the samples' x; 0 if there is no growth. The first third of the samples is left out as warm-up. */
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

    /**
     * Returns a quantile of the slopes between all pairs of points, multiplied by the length in x. The median is the slope of Theil and
     * Sen.
     */
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
