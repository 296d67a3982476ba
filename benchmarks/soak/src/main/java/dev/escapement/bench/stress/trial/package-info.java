/**
 * One run of one scenario: its promises, its checks, its metrics, and the verdict.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.trial.Scenario}. Knows nothing of any scenario, nor of how results are shown.
 */
@NullMarked
package dev.escapement.bench.stress.trial;

import org.jspecify.annotations.NullMarked;
