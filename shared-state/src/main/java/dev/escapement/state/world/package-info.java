/**
 * What a running service offers besides snapshots, so that tools depend neither on physics nor on engines: its time, the metrics of its
 * ticks, and the shapes of its bodies.
 *
 * <p>Start reading at {@link dev.escapement.state.world.WorldControl}.
 */
@NullMarked
package dev.escapement.state.world;

import org.jspecify.annotations.NullMarked;
