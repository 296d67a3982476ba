/**
 * What the main job and the benchmarks tick: the same pile of boxes in each engine, masses on springs, and input that pushes them.
 *
 * <p>Start reading at {@link dev.escapement.bench.demo.EnginePile}.
 */
@NullMarked
package dev.escapement.bench.demo;

import org.jspecify.annotations.NullMarked;
