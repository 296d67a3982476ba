/**
 * Faults that strike together: a seed draws which, and the moments at which they do.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.fault.FaultPlan}, which knows nothing of what the faults are.
 */
@NullMarked
package dev.escapement.bench.stress.fault;

import org.jspecify.annotations.NullMarked;
