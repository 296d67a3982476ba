/**
 * {@code escapement compare}: compares the library's service with the game loops of the literature and with the usual patterns between two
 * threads, all over the same simulation.
 *
 * <p>Start reading at {@link dev.escapement.bench.compare.Contestant}, which lists the loops and how each is created. Each loop draws a
 * {@link dev.escapement.bench.compare.Picture}, and runs in a {@link dev.escapement.bench.compare.VirtualContest}.
 */
@NullMarked
package dev.escapement.bench.compare;

import org.jspecify.annotations.NullMarked;
