/**
 * Rays, overlaps and sweeps at the moment that a view shows, on the thread that asks.
 *
 * <p>Start reading at {@link dev.escapement.physics.query.QueryWorld}.
 */
@NullMarked
package dev.escapement.physics.query;

import org.jspecify.annotations.NullMarked;
