/**
 * The scenarios, by what they try: what readers do, what bodies do, what takes time from ticks, what other threads send, what users' code
 * does wrong, closing at any moment, and pairs of faults; and what the commands {@code flood} and {@code handoffs} run. With what they are
 * made of: worlds with a model of every pose, readers that check all they take, services that are watched, ledgers of input and commands.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.scenario.Scenarios}.
 */
@NullMarked
package dev.escapement.bench.stress.scenario;

import org.jspecify.annotations.NullMarked;
