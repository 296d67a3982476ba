package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The two sides of the codec without pacing, information packets and playout. */
final class CodecLink {

    static final int STREAM = 7;

    final SnapshotEncoder world;
    final SnapshotEncoder encoder; // of the interest, or of the world if there is none
    final AcknowledgedWriter writer;
    private final @Nullable BroadcastWriter broadcast;
    final SnapshotDecoder decoder;
    final PacketReader reader;

    CodecLink(WireFormat format, PoseLayout layout, int maxBodies) {
        this(format, layout, maxBodies, 0, 0);
    }

    /** Creates a link of a broadcast if {@code refreshTicks} is not 0, and of an interest if {@code ticksPerSend} is not 0. */
    CodecLink(WireFormat format, PoseLayout layout, int maxBodies, int refreshTicks, int ticksPerSend) {
        world = new SnapshotEncoder(format, layout, STREAM, 1);
        encoder = ticksPerSend == 0 ? world : new SnapshotEncoder(world, ticksPerSend);
        writer = new AcknowledgedWriter(encoder, false);
        broadcast = refreshTicks == 0 ? null : new BroadcastWriter(encoder, refreshTicks);
        decoder = new SnapshotDecoder(maxBodies);
        decoder.expect(new StreamInfo(STREAM, 0, false, false, TickRate.hertz(10_000), format, ticksPerSend, layout));
        reader = new PacketReader(decoder);
    }

    void take(Snapshot snapshot, Timeline timeline) {
        world.take(snapshot, null, timeline);
    }

    /** Writes the next packet of the tick that was taken last. */
    boolean write(ByteBuffer packet) {
        return broadcast == null ? writer.write(packet) : broadcast.write(packet);
    }

    /** Passes a packet to the receiver, and reports the numbers of all packets that it can read now. */
    void receive(ByteBuffer packet, IntConsumer read) {
        reader.take(packet);
        while (reader.next()) {
            read.accept(decoder.packetNumber());
        }
    }

    void acknowledge(int packetNumber) {
        writer.acknowledge(packetNumber);
    }
}
