/**
 * Child processes: found, started, waited for within bounds, and ended with their parent.
 *
 * <p>Start reading at {@link dev.escapement.bench.child.ChildProcess}.
 */
@NullMarked
package dev.escapement.bench.child;

import org.jspecify.annotations.NullMarked;
