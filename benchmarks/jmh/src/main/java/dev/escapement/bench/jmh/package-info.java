/**
 * What things cost, one operation at a time: JMH benchmarks, the ratios they come to, and the commands {@code bench}, {@code ratios},
 * {@code cost} and {@code readers}.
 *
 * <p>A benchmark beside others is named {@code escapement...}, the others {@code floor...} or after a library.
 */
@NullMarked
package dev.escapement.bench.jmh;

import org.jspecify.annotations.NullMarked;
