/**
 * The commands that try to break the library: {@code stress}, {@code flood} and {@code handoffs}. What they run is in
 * {@code scenario}, what scenarios are made of in {@code world} and {@code fault}, how one runs and what it comes to in {@code trial}.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressCommand}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
