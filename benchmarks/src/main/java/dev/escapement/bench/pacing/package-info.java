/**
 * How late ticks start: Escapement's pacing and what people use today, idle and with every core loaded.
 *
 * <p>Start reading at {@link dev.escapement.bench.pacing.Rounds}.
 */
@NullMarked
package dev.escapement.bench.pacing;

import org.jspecify.annotations.NullMarked;
