/**
 * A server and its clients over UDP: each client acknowledges what it has, with input on the way back.
 *
 * <p>Start reading at {@link dev.escapement.state.wire.udp.UdpLoop}.
 */
module dev.escapement.transport.udp {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.transport.wire;

    exports dev.escapement.state.wire.udp;
}
