/**
 * Who is compared, under which load, on which display, and what comes out: nothing here knows whether time is real.
 *
 * <p>Immutable; any thread. Start reading at {@link dev.escapement.bench.compare.contest.Contestant}.
 */
@NullMarked
package dev.escapement.bench.compare.contest;

import org.jspecify.annotations.NullMarked;
