/**
 * {@code escapement compare}: the loops of the literature and the patterns that people use between threads, beside the service, over
 * the same simulation; and what people and machines get to see of it.
 *
 * <p>Main thread. Start reading at {@link dev.escapement.bench.compare.CompareCommand}; who is compared stands in
 * {@link dev.escapement.bench.compare.contest.Contestant}.
 */
@NullMarked
package dev.escapement.bench.compare;

import org.jspecify.annotations.NullMarked;
