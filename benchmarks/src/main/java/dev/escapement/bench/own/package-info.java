/**
 * Simulations that come from outside: a class and where to find it, named on the command line.
 *
 * <p>Start reading at {@link dev.escapement.bench.own.OwnSimulation}.
 */
@NullMarked
package dev.escapement.bench.own;

import org.jspecify.annotations.NullMarked;
