/**
 * The wire format: snapshots as packets, a sender, which reads an exchange, and a receiver, which writes an exchange in another process.
 *
 * <p>Start reading at {@link dev.escapement.state.wire.SnapshotSender}.
 */
module dev.escapement.transport.wire {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.state;

    exports dev.escapement.state.wire;
}
