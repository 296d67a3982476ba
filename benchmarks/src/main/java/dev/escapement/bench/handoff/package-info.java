/**
 * Ways to hand the latest state from one thread to others: Escapement's exchange and what people use today, behind one
 * interface, so that benchmarks and tests treat them alike.
 *
 * <p>Start reading at {@link dev.escapement.bench.handoff.Handoff}.
 */
@NullMarked
package dev.escapement.bench.handoff;

import org.jspecify.annotations.NullMarked;
