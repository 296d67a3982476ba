/**
 * Machines and the network between them on virtual time, in one thread.
 *
 * <p>Start reading at {@link dev.escapement.bench.network.VirtualTime}.
 */
@NullMarked
package dev.escapement.bench.network;

import org.jspecify.annotations.NullMarked;
