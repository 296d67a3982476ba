package dev.escapement.bench.ratio;

import java.util.Arrays;

/**
 * What a benchmark came to in each of its forks. Iterations within a fork share one JVM with its code as it happened to be
 * compiled, so that the forks alone are independent of each other.
 */
final class Forks {

    private final double[] means;

    /**
     * The mean of each fork.
     *
     * @throws IllegalArgumentException if one is not more than 0
     */
    Forks(double... means) {
        if (Arrays.stream(means).anyMatch(mean -> !(mean > 0))) {
            throw new IllegalArgumentException(
                    "a ratio needs figures above 0, but the forks' means are " + Arrays.toString(means));
        }
        this.means = means.clone();
    }

    int count() {
        return means.length;
    }

    double meanLog() {
        return Arrays.stream(means).map(Math::log).average().orElse(Double.NaN);
    }

    /** The variance of the mean of the logarithms. */
    double varianceOfMeanLog() {
        double mean = meanLog();
        double squares = Arrays.stream(means)
                .map(Math::log)
                .map(log -> (log - mean) * (log - mean))
                .sum();
        return squares / (means.length - 1) / means.length;
    }
}
