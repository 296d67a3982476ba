/**
 * The commands that try to break the library: {@code stress}, {@code flood} and {@code handoffs}, and their output. The scenarios are in
 * {@code scenario}, the run of one and its outcome in {@code trial}.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressCommand}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
