/**
 * The view that tools have of a running world: its time, the metrics of its ticks, the shapes of its bodies. So tools depend neither on
 * physics nor on engines.
 *
 * <p>Start reading at {@link dev.escapement.state.world.WorldControl}.
 */
@NullMarked
package dev.escapement.state.world;

import org.jspecify.annotations.NullMarked;
