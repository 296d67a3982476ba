/**
 * What is measured of a run, where, and what comes out.
 *
 * <p>Recorders belong to the thread they measure and are read when it has ended. Start reading at
 * {@link dev.escapement.bench.measure.RunResult}.
 */
@NullMarked
package dev.escapement.bench.measure;

import org.jspecify.annotations.NullMarked;
