/**
 * {@code escapement compare}: the loops of the literature and the patterns that people use between threads, beside the service, over
 * the same simulation.
 *
 * <p>Start reading at {@link dev.escapement.bench.compare.Contestant}, which says who is compared and how each is made. Each draws a
 * {@link dev.escapement.bench.compare.Picture}, and runs in a {@link dev.escapement.bench.compare.VirtualContest}.
 */
@NullMarked
package dev.escapement.bench.compare;

import org.jspecify.annotations.NullMarked;
