/**
 * The worlds of the main job and the benchmarks: the same machine and pile of boxes in each engine, masses on springs, and input that
 * pushes them.
 *
 * <p>Start reading at {@link dev.escapement.bench.demo.EngineBodies}.
 */
@NullMarked
package dev.escapement.bench.demo;

import org.jspecify.annotations.NullMarked;
