/**
 * Ways to bring input events from several threads to one: Escapement's ring and what people use today, behind one interface, so that
 * benchmarks and tests treat them alike.
 *
 * <p>Start reading at {@link dev.escapement.bench.input.InputQueue}.
 */
@NullMarked
package dev.escapement.bench.input;

import org.jspecify.annotations.NullMarked;
