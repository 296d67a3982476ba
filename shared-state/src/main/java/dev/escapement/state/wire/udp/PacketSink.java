package dev.escapement.state.wire.udp;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Where an endpoint's packets go: a socket, or a simulated network.
 *
 * @see ServerEndpoint
 */
@FunctionalInterface
public interface PacketSink {

    /**
     * Sends a packet, or loses it. Never blocks and never throws because of the network.
     *
     * @param packet from its position to its limit; the caller reuses it afterwards
     * @param to     where to
     */
    void send(ByteBuffer packet, SocketAddress to);
}
