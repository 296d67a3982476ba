/**
 * {@code escapement compare}: compares the service with the game loops of the literature and the usual patterns between threads, over
 * the same simulation.
 *
 * <p>Start reading at {@link dev.escapement.bench.compare.Contestant}, which lists the loops and how each is created. Each draws a
 * {@link dev.escapement.bench.compare.Picture}, and runs in a {@link dev.escapement.bench.compare.VirtualContest}.
 */
@NullMarked
package dev.escapement.bench.compare;

import org.jspecify.annotations.NullMarked;
