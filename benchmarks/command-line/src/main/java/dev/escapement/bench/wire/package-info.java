/**
 * Measures the bandwidth of a world, the time to encode and decode it, and the picture of viewers.
 *
 * <p>Start reading at {@link dev.escapement.bench.wire.WireCommand}.
 */
@NullMarked
package dev.escapement.bench.wire;

import org.jspecify.annotations.NullMarked;
