/**
 * The contestants on real threads: steps work as long as they are said to take, and the operating system decides who runs when. The display
 * is its slots alone.
 *
 * <p>The calling thread draws. Start reading at {@link dev.escapement.bench.compare.real.RealContest}.
 */
@NullMarked
package dev.escapement.bench.compare.real;

import org.jspecify.annotations.NullMarked;
