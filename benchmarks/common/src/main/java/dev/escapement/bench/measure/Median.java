package dev.escapement.bench.measure;

import java.util.Arrays;

/** The middle of some numbers. */
public final class Median {

    private Median() {}

    /** The value in the middle, the mean of the two if there are two, NaN of nothing. */
    public static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int size = sorted.length;
        return size == 0 ? Double.NaN : (sorted[(size - 1) / 2] + sorted[size / 2]) / 2;
    }
}
