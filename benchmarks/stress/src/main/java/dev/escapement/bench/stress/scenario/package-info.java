/**
 * The scenarios: readers, bodies, load on ticks, input and commands of other threads, faults in users' code, closing at any moment, and
 * pairs of faults; also those of the commands {@code flood} and {@code handoffs}. Their parts: worlds with a model of every pose, readers
 * that check all windows, watched services, ledgers of input and commands.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.scenario.Scenarios}.
 */
@NullMarked
package dev.escapement.bench.stress.scenario;

import org.jspecify.annotations.NullMarked;
