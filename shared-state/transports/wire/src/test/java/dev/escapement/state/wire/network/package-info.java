/**
 * Machines and the network between them on virtual time, in one thread.
 *
 * <p>Start reading at {@link dev.escapement.state.wire.network.VirtualTime}.
 */
@NullMarked
package dev.escapement.state.wire.network;

import org.jspecify.annotations.NullMarked;
