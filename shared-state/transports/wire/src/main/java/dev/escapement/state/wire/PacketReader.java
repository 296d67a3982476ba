package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * Passes packets to a decoder as soon as it can read them: at once if they need only what was acknowledged, else after the one before them.
 * Computes lost packets from repair packets. Where that is not possible, it begins again with the refresh of a broadcast, or with packets
 * that need only what was acknowledged: their sender must be notified ({@link #isMissingMuch}).
 *
 * <p>Accepts or refuses any bytes; memory is bounded by {@value RepairedPackets#KEPT} packets.
 *
 * <p>One thread. Once it has seen as many packets as it keeps, it allocates for lost packets alone.
 */
final class PacketReader {

    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;
    private static final int NUMBER_AT = 3;

    /** A packet that is missing while this many newer ones are there is lost for good. */
    private static final int LOST_AGE = 2 * RepairCode.SPAN;

    /** If this many packets wait for one that is missing, repair packets take too long. */
    private static final int LONG_WAIT = 3;

    /** If more of {@value ArrivedPackets#SOME} packets are lost, repair packets cannot restore all. */
    private static final int MAX_MISSING = 9;

    /** The same where they are lost one by one, so that more repair packets are sent. */
    private static final int MAX_MISSING_SINGLY = 27;

    private final SnapshotDecoder decoder;
    private final RepairedPackets ticks = new RepairedPackets();

    /** The packet of a refresh that came last; empty if it is not needed. */
    private final ByteBuffer refresh =
            ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES).limit(0);

    private final ArrivedPackets arrived = new ArrivedPackets();
    private final PacketHeader header = new PacketHeader();

    /** The oldest packet of ticks that may still be read. */
    private int oldest;

    private int next;

    /** The newest packet of a tick that was read. */
    private int lastRead;

    /** Whether any packet was read. */
    private boolean began;

    // Whether the packet that was read last waited for a refresh, or longer than others should.
    private boolean catchesUp;
    private boolean waitedLong;

    private long lost;

    PacketReader(SnapshotDecoder decoder) {
        this.decoder = decoder;
    }

    /** Forgets all packets: another stream begins, or numbers begin again. */
    void forget() {
        ticks.forget();
        refresh.limit(0);
        arrived.forget();
        began = false;
        catchesUp = false;
    }

    /** Takes a packet: any bytes, from its position on. Returns whether it was accepted. */
    boolean take(ByteBuffer packet) {
        if (packet.remaining() < RepairCode.HEADER_BYTES) {
            return false;
        }
        int first = packet.get(packet.position()) & U8;
        int number = packet.getShort(packet.position() + NUMBER_AT) & U16;
        if (!decoder.isExpected(packet.getShort(packet.position() + 1) & U16)) {
            return false;
        }
        boolean taken;
        boolean isOfTick = PacketHeader.isOfTick(first);
        if (isOfTick) {
            taken = ticks.add(number, packet);
            lost += arrived.add(number);
        } else if (first >>> PacketHeader.FLAG_BITS == BroadcastWriter.REFRESH) {
            taken = packet.remaining() <= refresh.capacity();
            if (taken && isStuck(0)) {
                refresh.clear().put(packet.duplicate()).flip();
                BroadcastWriter.exchangeKind(refresh, 0);
            }
        } else {
            taken = first == RepairWriter.KIND && ticks.addSum(packet);
        }
        lookAtAll();
        if (isOfTick && (short) (number - next) < 0) {
            next = number; // dropped, but it may need only what was acknowledged
        }
        return taken;
    }

    /** Looks at all packets again that may still be read: one that was missing may have come. */
    private void lookAtAll() {
        if (!began || Math.abs((short) (ticks.newest() - oldest)) >= RepairedPackets.KEPT) {
            oldest = ticks.newest() - RepairedPackets.KEPT + 1; // after this many, numbers do not show what was read
        }
        while ((short) (ticks.newest() - oldest) >= 0 && isDone(oldest)) {
            oldest++;
        }
        next = oldest;
    }

    /** Whether a packet was read, or is lost or useless for good. */
    private boolean isDone(int number) {
        boolean isRead = ticks.has(number) && ticks.isRead(number);
        return isRead || (isOld(number) && (!ticks.has(number) || (began && (short) (lastRead - number) > 0)));
    }

    private boolean isOld(int number) {
        return (short) (ticks.newest() - number) > LOST_AGE;
    }

    /** Lets the decoder read the next packet that it can. False if it must wait for others. */
    boolean next() {
        while ((short) (ticks.newest() - next) >= 0) {
            int number = next++ & U16;
            if (ticks.has(number) && !ticks.isRead(number) && isReady(number) && read(number)) {
                return true;
            }
        }
        return readRefresh();
    }

    /** Whether a packet is read after the one before it, or needs none before it. */
    private boolean isReady(int number) {
        boolean isHeader = header.read(ticks.packet(number), decoder.nearTick());
        if (!isHeader || !header.isChained) {
            return true;
        }
        boolean isFirst = header.firstChunk == 0 && header.secondAge == 0 && header.contextsAge == 0;
        boolean isStart = isFirst && (header.baseAge == 0 || decoder.isWhole(header.tick - header.baseAge));
        catchesUp |= isStart;
        return isStart || (ticks.has(number - 1) && ticks.isRead(number - 1));
    }

    private boolean read(int number) {
        boolean isRead = decoder.decode(ticks.packet(number));
        if (isRead || !decoder.needsOthers() || isOld(number)) { // no further attempts
            ticks.markRead(number);
        }
        if (isRead) {
            lastRead = began && (short) (lastRead - number) > 0 ? lastRead : number;
            began = true;
            catchesUp &= header.isChained && number != ticks.newest();
            waitedLong = header.isChained && (short) (ticks.newest() - number) > LONG_WAIT;
        }
        return isRead;
    }

    private boolean isStuck(int packets) {
        return !began || (short) (ticks.newest() - lastRead) > packets;
    }

    /** Whether repair packets restore too few packets, or too late: {@link AcknowledgedWriter#distrust} should be called. */
    boolean isMissingMuch() {
        boolean areSingle = arrived.lossPercent() > RepairWriter.FEW_PERCENT;
        return (began && isStuck(LONG_WAIT)) || arrived.missing() > (areSingle ? MAX_MISSING_SINGLY : MAX_MISSING);
    }

    /** With how many percent of the packets a loss begins, for {@link AcknowledgedWriter#losses}. */
    int lossPercent() {
        return arrived.lossPercent();
    }

    /** Returns how many packets of ticks have not arrived. Packets that were computed from repair packets count as not arrived. */
    long lost() {
        return lost;
    }

    /** Reads a refresh if packets are missing: missing packets of a broadcast never come, because its transport keeps the order. */
    private boolean readRefresh() {
        boolean isRead = refresh.hasRemaining() && isStuck(0) && decoder.decode(refresh);
        refresh.limit(0);
        if (isRead) {
            catchesUp = true;
            lookAtAll();
        }
        return isRead;
    }

    /**
     * Whether the packet that was read last came as most do: it did not wait for a refresh, nor so long for another packet that its sender,
     * once notified, sends packets that need not wait.
     */
    boolean isUsual() {
        return !catchesUp && !waitedLong;
    }
}
