package dev.escapement.bench.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Judges whether a count grows, of bytes, threads or handles, from samples of it. It looks at the smallest of neighbours, so that neither a
 * saw tooth nor a single outlier counts, and asks that almost all pairs of these rise, so that neither a single step counts, as by an arena
 * of the C library, nor a buffer that fills up. One thread.
 */
final class Growth {

    static final double MEGABYTE = 1 << 20;

    /** If there are more samples, neighbours form groups, and the smallest sample of each group counts. */
    private static final int MAX_POINTS = 24;

    /** Fewer show nothing: the first third is left out, and ten points are to be left. */
    static final int LEAST_SAMPLES = 14;

    /** The share of all pairs of points that has to rise. In noise without a trend, fewer than one series in a thousand has as many. */
    private static final double LEAST_RISING = 0.9;

    private final double floor;
    private final double floorShare;
    private final String what;
    private final List<Double> at = new ArrayList<>();
    private final List<Double> counts = new ArrayList<>();

    /**
     * Makes one without samples.
     *
     * @param floor      a smaller rise is none
     * @param floorShare a rise by a smaller share of the first sample is none
     * @param what       the samples, in words
     */
    Growth(double floor, double floorShare, String what) {
        this.floor = floor;
        this.floorShare = floorShare;
        this.what = what;
    }

    /** Returns the growth of the heap after collections, in a life that keeps no past. */
    static Growth heap() {
        return new Growth(MEGABYTE / 2, 0, "bytes of the heap in a life");
    }

    /** Returns that of the resident memory, in which the arenas of malloc grow with the threads that use them. */
    static Growth resident() {
        return new Growth(
                48 * MEGABYTE, 0.1, "bytes of the process after lives, of which malloc may keep more by itself");
    }

    /** Returns that of threads or handles in a life, in which clients come and go. */
    static Growth count(String what) {
        return new Growth(16, 0, what);
    }

    void add(double when, double count) {
        at.add(when);
        counts.add(count);
    }

    /** Adds a sample, unless it is 0, which the system has not told; checks whether they grow, once there are enough. */
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

    /** Returns by how many it grows in a unit of the times of samples, the first third of which is the warm-up; 0 if it does not. */
    double perUnit() {
        int first = at.size() / 3;
        int rest = at.size() - first;
        double[] points = new double[Math.min(MAX_POINTS, rest)];
        for (int point = 0; point < points.length; point++) {
            points[point] =
                    counts
                            .subList(first + point * rest / points.length, first + (point + 1) * rest / points.length)
                            .stream()
                            .min(Double::compare)
                            .orElseThrow();
        }
        int half = points.length / 2;
        double apart = mean(points, points.length - half, points.length) - mean(points, 0, half);
        double rise = apart * (points.length - 1) / (points.length - half); // of an even growth
        boolean grows = rise > Math.max(floor, floorShare * counts.get(first)) && risingShare(points) >= LEAST_RISING;
        return grows ? rise / (at.get(at.size() - 1) - at.get(first)) : 0;
    }

    private static double mean(double[] points, int from, int to) {
        return Arrays.stream(points, from, to).average().orElseThrow();
    }

    /** Returns the share of all pairs of points whose second is the greater one. */
    private static double risingShare(double[] points) {
        int rising = 0;
        for (int i = 0; i < points.length; i++) {
            for (int j = i + 1; j < points.length; j++) {
                rising += points[j] > points[i] ? 1 : 0;
            }
        }
        return rising / (points.length * (points.length - 1) / 2.0);
    }
}
