package dev.escapement.state.wire;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The two sides of the codec without anything else: no pace, no information about the stream, no playout. */
final class CodecLink {

    static final int STREAM = 7;

    final SnapshotEncoder encoder;
    final AcknowledgedWriter writer;
    private final @Nullable BroadcastWriter broadcast;
    final SnapshotDecoder decoder;
    final PacketReader reader;
    private final int maxBodies;

    /** Creates a link whose receiver acknowledges packets. */
    CodecLink(WireFormat format, PoseLayout layout, int maxBodies) {
        this(format, layout, maxBodies, 0, 0);
    }

    /**
     * Creates a link.
     *
     * @param refreshTicks the number of ticks of a refresh of a broadcast; 0 if the receiver acknowledges packets
     * @param ticksPerSend the maximum number of ticks between sends of an interest; 0 for the whole world
     */
    CodecLink(WireFormat format, PoseLayout layout, int maxBodies, int refreshTicks, int ticksPerSend) {
        this.maxBodies = maxBodies;
        encoder = new SnapshotEncoder(format, layout, STREAM, 1);
        writer = new AcknowledgedWriter(encoder, false);
        broadcast = refreshTicks == 0 ? null : new BroadcastWriter(encoder, refreshTicks);
        decoder = new SnapshotDecoder(maxBodies);
        decoder.expect(new StreamInfo(STREAM, 0, false, false, TickRate.hertz(10_000), format, ticksPerSend, layout));
        reader = new PacketReader(decoder);
    }

    void take(Snapshot snapshot, Timeline timeline) {
        encoder.take(snapshot, null, timeline);
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

    /**
     * Writes the receiver's bodies at a tick into a snapshot, those at the edge of the format's range as quarantined. Returns false if the
     * receiver knows nothing of that tick.
     */
    boolean read(long tick, WritableSnapshot into) {
        WireTick known = decoder.kept(tick);
        if (known == null) {
            return false;
        }
        into.startTick(tick, known.dueNanos);
        into.inputsTaken(known.inputsTaken);
        into.origin(known.originX, known.originY, known.originZ);
        into.resize(maxBodies);
        for (int b = 0; b < into.poses().blockCount(); b++) {
            into.bodyBlock(b).clear();
            into.bodyBlock(b).changedAt(tick);
            into.motion(b).resetMotion(tick, into.poses().slotsIn(b));
        }
        for (int slot = 0; slot < known.slots; slot++) {
            if (known.knows(slot >> WireTick.CHUNK_SHIFT) && BodyId.isLive(known.generation[slot])) {
                read(known, slot, into, known.worldSlot(slot));
            }
        }
        return true;
    }

    private void read(WireTick known, int slot, WritableSnapshot into, int worldSlot) {
        int b = worldSlot >> PoseBlock.SHIFT;
        int i = worldSlot & PoseBlock.MASK;
        int at = slot << WireTick.POSE_SHIFT;
        into.bodyBlock(b).spawn(i, known.generation[slot], known.tick, known.userData(slot));
        into.bodyBlock(b).teleports[i] = known.teleports(slot);
        into.bodyBlock(b).quarantined[i] = decoder.code().isClamped(known.poses, at);
        decoder.code().decode(known.poses, at, into.poses().block(b), i);
        for (int channel = 0; channel < known.channelCount; channel++) {
            into.poses().block(b).channels[channel][i] = Float.intBitsToFloat(known.channel(slot, channel));
        }
    }
}
