/**
 * Transports of worlds over Aeron: {@link dev.escapement.transport.aeron.AeronSender} and {@link
 * dev.escapement.transport.aeron.AeronReceiver} carry the packets of {@link dev.escapement.state.wire} between processes and machines.
 */
@NullMarked
package dev.escapement.transport.aeron;

import org.jspecify.annotations.NullMarked;
