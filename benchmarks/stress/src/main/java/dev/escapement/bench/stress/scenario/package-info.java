/**
 * The scenarios: handoffs at full speed, pairs of faults in one service, and processes that fail. Their parts: a world with a model of
 * every pose, readers that check all windows, watched services.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.scenario.Scenarios}.
 */
@NullMarked
package dev.escapement.bench.stress.scenario;

import org.jspecify.annotations.NullMarked;
