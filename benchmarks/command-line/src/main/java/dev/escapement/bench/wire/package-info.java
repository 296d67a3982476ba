/**
 * How much of a world goes over the wire, what coding it costs, and what viewers see of it.
 *
 * <p>Start reading at {@link dev.escapement.bench.wire.WireCommand}.
 */
@NullMarked
package dev.escapement.bench.wire;

import org.jspecify.annotations.NullMarked;
