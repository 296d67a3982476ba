/**
 * The contestants on a virtual clock: steps and frames take exactly as long as they are said to, so that what comes out is the same
 * on every machine, bit for bit.
 *
 * <p>One thread. Start reading at {@link dev.escapement.bench.compare.virtual.VirtualContest}.
 */
@NullMarked
package dev.escapement.bench.compare.virtual;

import org.jspecify.annotations.NullMarked;
