package dev.escapement.bench.stress.gate;

/**
 * How much a figure of a scenario may be.
 *
 * @param scenario its name
 * @param figure   a distribution and its percentile, such as "tick lateness p50", or a figure by its name
 * @param per      what it is divided by
 * @param atMost   how much that may be
 */
public record Limit(String scenario, String figure, Yardstick per, double atMost) {}
