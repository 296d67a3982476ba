/**
 * Limits for figures, as ratios to what this machine does at the same time, so that they hold on a noisy shared machine.
 *
 * <p>One thread. Start reading at {@link dev.escapement.bench.stress.gate.Gate}.
 */
@NullMarked
package dev.escapement.bench.stress.gate;

import org.jspecify.annotations.NullMarked;
