/**
 * Snapshots and input between machines over UDP.
 *
 * <p>Start reading at {@link dev.escapement.state.wire.udp.UdpLoop}. It drives {@link dev.escapement.state.wire.udp.ServerEndpoint} or
 * {@link dev.escapement.state.wire.udp.ClientEndpoint}, which know no socket and no thread.
 */
@NullMarked
package dev.escapement.state.wire.udp;

import org.jspecify.annotations.NullMarked;
