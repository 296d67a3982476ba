package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes packets for any number of receivers that do not answer. Each tick tells what differs from the one before it; repair packets
 * beside them make up for what is lost; and the world as it was at one tick is sent whole, a little in each of the following ticks, for
 * who is late or has lost too much. The first tick after that one needs nothing else.
 *
 * <p>The thread of the {@link SnapshotEncoder}.
 *
 * @see SnapshotEncoder#newBroadcast(int, boolean)
 */
public final class BroadcastWriter {

    static final int REFRESH_REPAIR = 0x32;

    /** Packets of a refresh are those of an acknowledged writer, with this as their kind. */
    static final int REFRESH = 4;

    /** Who lacks a packet of the refresh waits for the next one: a quarter as much again. */
    private static final int REFRESHES_PER_REPAIR = 4;

    /** So many more after its last packet: those that cover it would come with the next refresh only. */
    private static final int LAST_REPAIRS = 2;

    private final SnapshotEncoder encoder;
    private final int refreshTicks;
    private final AcknowledgedWriter ticks;
    private final AcknowledgedWriter refreshes;
    private final RepairWriter refreshRepairs;

    /** The packets of the refresh, of which some are sent. */
    private final List<ByteBuffer> refresh = new ArrayList<>();

    private int refreshSize;
    private int refreshSent;
    private int refreshNumber;
    private int steps;
    private long tick = Snapshot.NEVER_WRITTEN;

    BroadcastWriter(SnapshotEncoder encoder, int refreshTicks, boolean makesRepairs) {
        this.encoder = encoder;
        this.refreshTicks = refreshTicks;
        ticks = new AcknowledgedWriter(encoder);
        ticks.trust();
        refreshes = new AcknowledgedWriter(encoder);
        refreshRepairs = new RepairWriter(REFRESH_REPAIR, encoder.streamId, REFRESHES_PER_REPAIR);
        if (!makesRepairs) {
            ticks.makeNoRepairs();
            refreshRepairs.turnOff();
        }
    }

    /**
     * Writes the next packet of the newest tick.
     *
     * @param packet has room for {@value PacketHeader#MOST_BYTES} bytes
     * @return false if all that is to be sent with this tick was written
     */
    public boolean write(ByteBuffer packet) {
        if (ticks.write(packet)) {
            return true;
        }
        if (encoder.newestTick() != tick) {
            tick = encoder.newestTick();
            step();
        }
        return writeRefresh(packet);
    }

    /** While no tick comes: the refresh goes on by so many ticks, and then begins again. */
    void repeat(int ticks) {
        this.ticks.forgetRepairs(); // who comes now has nothing of what was before, and needs nothing of it
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
                refresh.get(refreshSize++).flip();
            }
            refreshNumber = refreshes.packetNumber() - refreshSize + 1;
            refreshes.repeat(); // while the world stands still, the same tick is written again
            ticks.needOnlyLast();
        }
    }

    /** For the n-th packet of the refresh. */
    private ByteBuffer room(int n) {
        if (n == refresh.size()) {
            refresh.add(ByteBuffer.allocate(PacketHeader.MOST_BYTES));
        }
        return refresh.get(n).clear();
    }

    /** Makes a packet of a refresh of one of a tick, and back. */
    static void exchangeKind(ByteBuffer packet, int start) {
        int difference = (PacketHeader.FREE ^ REFRESH) << PacketHeader.FLAG_BITS;
        packet.put(start, (byte) (packet.get(start) ^ difference));
    }

    private boolean writeRefresh(ByteBuffer packet) {
        if (refreshRepairs.isDue()) {
            refreshRepairs.write(packet);
            return true;
        }
        if ((long) refreshSent * refreshTicks >= (long) refreshSize * (steps + 1)) {
            return false;
        }
        ByteBuffer next = refresh.get(refreshSent);
        int start = packet.position();
        packet.put(next.rewind());
        refreshRepairs.sent(refreshNumber + refreshSent, packet, start, true);
        exchangeKind(packet, start);
        refreshSent++;
        if (refreshSent == refreshSize) {
            refreshRepairs.finish(LAST_REPAIRS);
        }
        return true;
    }
}
