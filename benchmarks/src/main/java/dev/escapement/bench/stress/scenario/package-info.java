/**
 * The scenarios, a class each.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.scenario.Scenarios}.
 */
@NullMarked
package dev.escapement.bench.stress.scenario;

import org.jspecify.annotations.NullMarked;
