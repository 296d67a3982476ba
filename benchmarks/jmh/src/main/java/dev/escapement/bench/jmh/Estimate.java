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

    /**
     * One over the other: Welch's interval for the difference of two means, taken over {@link #logs} of each.
     *
     * @throws IllegalArgumentException if either has fewer than two forks
     */
    static Estimate of(double[] logs, double[] otherLogs) {
        int count = logs.length;
        int others = otherLogs.length;
        if (count < 2 || others < 2) {
            throw new IllegalArgumentException("an error bar needs 2 forks or more, but there are " + count + " and "
                    + others + "; run 'bench' with -f 5");
        }
        double difference = StatUtils.mean(logs) - StatUtils.mean(otherLogs);
        double one = StatUtils.variance(logs) / count; // of the mean
        double other = StatUtils.variance(otherLogs) / others;
        double both = one + other;
        if (both == 0) {
            return new Estimate(Math.exp(difference), Math.exp(difference), Math.exp(difference));
        }
        double freedom = both * both / (one * one / (count - 1) + other * other / (others - 1));
        double half = new TDistribution(freedom).inverseCumulativeProbability(0.975) * Math.sqrt(both);
        return new Estimate(Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half));
    }

    /**
     * The logarithms of a benchmark's means in each of its forks. Iterations within a fork share one JVM with its compiled code, so only
     * forks are independent of each other.
     *
     * @throws IllegalArgumentException if a mean is not more than 0
     */
    static double[] logs(double... means) {
        if (Arrays.stream(means).anyMatch(mean -> !(mean > 0))) {
            throw new IllegalArgumentException(
                    "a ratio needs metrics above 0, but the forks' means are " + Arrays.toString(means));
        }
        return Arrays.stream(means).map(Math::log).toArray();
    }
}
