/**
 * The commands that try to break the library: {@code stress}, {@code soak} and {@code handoffs}, and their output. The scenarios are in
 * {@code scenario}, their checks in {@code trial}.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressCommand}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
