package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes packets for any number of receivers that do not answer. Each tick contains the differences from the tick before it, so the
 * transport must retransmit lost packets and keep the order. A refresh contains the whole world of one tick, sent in parts with the
 * following ticks, for receivers that join late or have lost the stream. The tick after the refreshed one depends on the refresh alone.
 *
 * <p>Used by the thread of the {@link SnapshotEncoder}.
 */
final class BroadcastWriter {

    /** The packet kind of a refresh. Except for the kind, refresh packets are like those of an {@link AcknowledgedWriter}. */
    static final int REFRESH = 4;

    private final SnapshotEncoder encoder;
    private final int refreshTicks;
    private final AcknowledgedWriter ticks;
    private final AcknowledgedWriter refreshes;

    private final List<ByteBuffer> refresh = new ArrayList<>();

    private int refreshSize;
    private int refreshSent;
    private int steps;
    private long tick = Snapshot.NEVER_WRITTEN;

    /** Creates a writer that begins with the whole world and refreshes it every {@code refreshTicks} ticks. */
    BroadcastWriter(SnapshotEncoder encoder, int refreshTicks) {
        this.encoder = encoder;
        this.refreshTicks = refreshTicks;
        ticks = new AcknowledgedWriter(encoder, true);
        refreshes = new AcknowledgedWriter(encoder, false);
    }

    /** Writes the next packet of the newest tick, or of the part of a refresh sent with that tick. Returns false if all are written. */
    boolean write(ByteBuffer packet) {
        if (ticks.write(packet)) {
            return true;
        }
        if (encoder.newestTick() != tick) {
            tick = encoder.newestTick();
            step();
        }
        return writeRefresh(packet);
    }

    /** Makes as many refresh packets due as {@code ticks} ticks would. Call it while no tick comes. Refreshes then follow each other. */
    void repeat(int ticks) {
        for (int i = 0; i < ticks && tick == encoder.newestTick(); i++) {
            step();
        }
    }

    private void step() {
        steps++;
        if (refreshSent == refreshSize && (steps >= refreshTicks || refreshSize == 0)) {
            steps = 0;
            refreshSent = 0;
            refreshSize = 0;
            while (refreshes.write(room(refreshSize))) {
                exchangeKind(refresh.get(refreshSize), 0);
                refresh.get(refreshSize++).flip();
            }
            refreshes.repeat(); // so that the next refresh is complete even if no tick comes until then
            ticks.needOnlyLast();
        }
    }

    private ByteBuffer room(int n) {
        if (n == refresh.size()) {
            refresh.add(ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES));
        }
        return refresh.get(n).clear();
    }

    /** Toggles a packet between the kind of a tick and the kind of a refresh. */
    static void exchangeKind(ByteBuffer packet, int start) {
        int difference = (PacketHeader.FREE ^ REFRESH) << PacketHeader.FLAG_BITS;
        packet.put(start, (byte) (packet.get(start) ^ difference));
    }

    private boolean writeRefresh(ByteBuffer packet) {
        if ((long) refreshSent * refreshTicks >= (long) refreshSize * (steps + 1)) {
            return false;
        }
        packet.put(refresh.get(refreshSent).rewind());
        refreshSent++;
        return true;
    }
}
