package dev.escapement.bench.report;

import dev.escapement.bench.measure.Series;

/** Curves with as many points as a plot can show. */
public final class Thinned {

    private static final int PARTS = 300;

    private Thinned() {}

    /** The least and the greatest point of each of 300 parts in their order, so that no spike is lost; a short curve as it is. */
    public static Series of(Series series) {
        double[] x = series.x();
        double[] y = series.y();
        if (x.length <= 2 * PARTS) {
            return series;
        }
        Series thin = new Series(2 * PARTS);
        for (int part = 0; part < PARTS; part++) {
            int from = (int) ((long) x.length * part / PARTS);
            int to = (int) ((long) x.length * (part + 1) / PARTS);
            int least = from;
            int greatest = from;
            for (int i = from + 1; i < to; i++) {
                least = y[i] < y[least] ? i : least;
                greatest = y[i] > y[greatest] ? i : greatest;
            }
            int first = Math.min(least, greatest);
            int second = Math.max(least, greatest);
            thin.add(x[first], y[first]);
            thin.add(x[second], y[second]);
        }
        return thin;
    }
}
