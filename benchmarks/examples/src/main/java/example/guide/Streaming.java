package example.guide;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;

/** A world that other processes receive over Aeron. */
final class Streaming {

    private Streaming() {}

    /** Sends the snapshots that the reader sees. If the reader belongs to a receiver instead of a service, this process is a relay. */
    static AeronSender send(AeronDriver driver, String channel, SnapshotReader reader, int streamId) {
        SnapshotSender sender = new SnapshotSender(reader, new WireFormat(0.001f, 0.003f), streamId);
        return AeronSender.start(driver, channel, sender, NanoClock.system());
    }

    static AeronReceiver receive(AeronDriver driver, String channel, SnapshotReceiver receiver) {
        return AeronReceiver.start(driver, channel, receiver, NanoClock.system());
    }
}
