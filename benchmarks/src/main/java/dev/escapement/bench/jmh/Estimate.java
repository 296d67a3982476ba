package dev.escapement.bench.jmh;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A ratio and the 95% confidence interval around it.
 *
 * @param ratio of the geometric means over the forks
 * @param low   the interval's lower end
 * @param high  the interval's upper end
 */
record Estimate(double ratio, double low, double high) {

    private static final double CONFIDENCE = 0.95;
    private static final int FEWEST_FORKS = 2;

    /**
     * One over the other: Welch's interval for the difference of two means, taken over logarithms.
     *
     * @throws IllegalArgumentException if either has fewer than two forks
     */
    static Estimate of(Forks numerator, Forks denominator) {
        if (numerator.count() < FEWEST_FORKS || denominator.count() < FEWEST_FORKS) {
            throw new IllegalArgumentException("an error bar needs " + FEWEST_FORKS + " forks or more, but there are "
                    + numerator.count() + " and " + denominator.count() + "; run 'bench' with -f 5");
        }
        double difference = numerator.meanLog() - denominator.meanLog();
        double one = numerator.varianceOfMeanLog();
        double other = denominator.varianceOfMeanLog();
        double both = one + other;
        if (both == 0) {
            return new Estimate(Math.exp(difference), Math.exp(difference), Math.exp(difference));
        }
        double freedom =
                both * both / (one * one / (numerator.count() - 1) + other * other / (denominator.count() - 1));
        double half = new TDistribution(freedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2) * Math.sqrt(both);
        return new Estimate(Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half));
    }

    /**
     * What a benchmark came to in each of its forks. Iterations within a fork share one JVM with its code as it happened to be
     * compiled, so that the forks alone are independent of each other.
     */
    static final class Forks {

        private final double[] logs;

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
            logs = Arrays.stream(means).map(Math::log).toArray();
        }

        int count() {
            return logs.length;
        }

        double meanLog() {
            return StatUtils.mean(logs);
        }

        /** The variance of the mean of the logarithms. */
        double varianceOfMeanLog() {
            return StatUtils.variance(logs) / logs.length;
        }
    }
}
