/**
 * A server and its clients over UDP. Each client acknowledges packets, and sends input in return.
 *
 * <p>Start reading at {@link dev.escapement.state.wire.udp.UdpLoop}.
 */
module dev.escapement.transport.udp {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.transport.wire;

    exports dev.escapement.state.wire.udp;
}
