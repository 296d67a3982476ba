/**
 * The promises, their checks, the run of a scenario, and its verdict.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.trial.Scenario}. Knows nothing of any scenario, nor of how results are shown.
 */
@NullMarked
package dev.escapement.bench.stress.trial;

import org.jspecify.annotations.NullMarked;
