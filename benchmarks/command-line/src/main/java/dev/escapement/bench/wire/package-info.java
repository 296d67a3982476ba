/**
 * How much of a world goes over the wire: Escapement's packets beside other schemes, over the same scenes.
 *
 * <p>Start reading at {@link dev.escapement.bench.wire.WireCommand}.
 */
@NullMarked
package dev.escapement.bench.wire;

import org.jspecify.annotations.NullMarked;
