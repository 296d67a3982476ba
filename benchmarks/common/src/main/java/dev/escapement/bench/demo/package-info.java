/**
 * The worlds of the commands and the benchmarks: in each engine the same machine and the same pile of boxes, masses on springs, and input
 * that pushes bodies.
 *
 * <p>Start reading at {@link dev.escapement.bench.demo.EngineBodies}.
 */
@NullMarked
package dev.escapement.bench.demo;

import org.jspecify.annotations.NullMarked;
