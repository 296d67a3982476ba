/**
 * The commands that try to break the library: {@code stress}, {@code flood} and {@code handoffs}, and what is kept of a run. The scenarios are in {@code scenario}, how one runs, here or in a JVM of its own, and what it comes to in {@code trial}.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressCommand}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
