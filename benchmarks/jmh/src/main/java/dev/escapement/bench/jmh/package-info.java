/**
 * Measures single operations: JMH benchmarks, their ratios, and the commands {@code bench} and {@code ratios}.
 *
 * <p>Benchmarks of this library are named {@code escapement...}. Those to compare with are named {@code floor...} or after another library.
 */
@NullMarked
package dev.escapement.bench.jmh;

import org.jspecify.annotations.NullMarked;
