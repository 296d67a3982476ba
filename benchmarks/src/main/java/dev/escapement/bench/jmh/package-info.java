/**
 * What things cost, one operation at a time: JMH benchmarks, what they are compared with, the ratios they come to, and the commands
 * {@code bench}, {@code ratios}, {@code cost} and {@code readers}.
 *
 * <p>Names of benchmark methods start with {@code escapement}, {@code floor}, {@code peer} or the name of a library. Each peer is
 * written once: ways to hand over poses in {@link dev.escapement.bench.jmh.HandoffContestant}, ways to bring input in
 * {@link dev.escapement.bench.jmh.InputContestant}.
 */
@NullMarked
package dev.escapement.bench.jmh;

import org.jspecify.annotations.NullMarked;
