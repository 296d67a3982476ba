/**
 * Snapshots and input between machines over UDP.
 *
 * <p>Start at {@link dev.escapement.state.wire.udp.UdpLoop}. What it drives is in {@link dev.escapement.state.wire.udp.ServerEndpoint}
 * and {@link dev.escapement.state.wire.udp.ClientEndpoint}, which know no socket and no thread.
 */
@NullMarked
package dev.escapement.state.wire.udp;

import org.jspecify.annotations.NullMarked;
