/**
 * Meters of Escapement for Micrometer, with names that begin with {@code escapement}:
 * {@link dev.escapement.micrometer.WorldMetrics} for a service or a driver, {@link dev.escapement.micrometer.HostMetrics} for a host and
 * all its worlds, {@link dev.escapement.micrometer.ViewMetrics} for the frames of a view, {@link dev.escapement.micrometer.StreamMetrics}
 * for a received world.
 *
 * <p>The meters of a world leave the registry at the first read after its end, and those of a host, view or stream at the first read after
 * it was collected. {@link dev.escapement.micrometer.SourceMetrics#close()} removes meters at once.
 */
@NullMarked
package dev.escapement.micrometer;

import org.jspecify.annotations.NullMarked;
