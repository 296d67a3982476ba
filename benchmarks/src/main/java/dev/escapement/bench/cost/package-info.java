/**
 * What the service itself costs per tick, beside the engine that it ticks.
 *
 * <p>Start reading at {@link dev.escapement.bench.cost.OwnCost}.
 */
@NullMarked
package dev.escapement.bench.cost;

import org.jspecify.annotations.NullMarked;
