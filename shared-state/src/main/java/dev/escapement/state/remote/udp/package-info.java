/**
 * Snapshots and input between machines over UDP.
 *
 * <p>Start at {@link dev.escapement.state.remote.udp.UdpLoop}. What it drives is in {@link dev.escapement.state.remote.udp.ServerEndpoint}
 * and {@link dev.escapement.state.remote.udp.ClientEndpoint}, which know no socket and no thread.
 */
@NullMarked
package dev.escapement.state.remote.udp;

import org.jspecify.annotations.NullMarked;
