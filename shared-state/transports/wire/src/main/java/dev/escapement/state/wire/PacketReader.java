package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * Passes packets to a decoder as soon as the decoder can read them. Packets that depend on acknowledged ones alone pass at once, others
 * after the packet before them. The reader computes lost packets from repair packets. Where repair fails, it resumes with the refresh of a
 * broadcast, or with packets that depend on acknowledged ones alone; the sender writes such packets once it is notified ({@link
 * #isMissingMuch}).
 *
 * <p>Accepts or refuses any bytes; memory is bounded by {@value RepairedPackets#KEPT} packets.
 *
 * <p>One thread. Once the reader has seen as many packets as it keeps, it allocates for lost packets alone.
 */
final class PacketReader {

    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;
    private static final int NUMBER_AT = 3;

    /** The number of newer packets after which a missing packet is lost for good. */
    private static final int LOST_AGE = 2 * RepairCode.SPAN;

    /** If more packets than this wait for a missing one, repair takes too long. */
    private static final int LONG_WAIT = 3;

    /** The number of lost packets, of {@value ArrivedPackets#SOME}, above which repair packets cannot restore all. */
    private static final int MAX_MISSING = 9;

    /** The limit instead of {@link #MAX_MISSING} if losses are independent, because the sender then adds repair packets. */
    private static final int MAX_MISSING_SINGLY = 27;

    private final SnapshotDecoder decoder;
    private final RepairedPackets ticks = new RepairedPackets();

    /** The last refresh packet; empty if no refresh is needed. */
    private final ByteBuffer refresh =
            ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES).limit(0);

    private final ArrivedPackets arrived = new ArrivedPackets();
    private final PacketHeader header = new PacketHeader();

    /** The number of the oldest packet that the reader may still read. */
    private int oldest;

    private int next;

    private int lastRead;

    private boolean began;

    /** Whether the packet that was read last had waited for a refresh. */
    private boolean catchesUp;

    /** Whether the packet that was read last had waited too long for another packet. */
    private boolean waitedLong;

    private long lost;

    PacketReader(SnapshotDecoder decoder) {
        this.decoder = decoder;
    }

    /** Forgets all packets, because another stream begins or numbers begin again. */
    void forget() {
        ticks.forget();
        refresh.limit(0);
        arrived.forget();
        began = false;
        catchesUp = false;
    }

    /** Takes a packet with any bytes, from its position on. Returns whether it was accepted. */
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
            next = number; // reads even this old packet if it depends on acknowledged ones alone
        }
        return taken;
    }

    /** Restarts the search for readable packets at the oldest one, because a missing packet may have arrived. */
    private void lookAtAll() {
        if (!began || Math.abs((short) (ticks.newest() - oldest)) >= RepairedPackets.KEPT) {
            oldest = ticks.newest() - RepairedPackets.KEPT + 1; // no record says whether older packets were read
        }
        while ((short) (ticks.newest() - oldest) >= 0 && isDone(oldest)) {
            oldest++;
        }
        next = oldest;
    }

    /** Returns whether a packet was read, or never will be: it is lost, or too old to be useful. */
    private boolean isDone(int number) {
        boolean isRead = ticks.has(number) && ticks.isRead(number);
        return isRead || (isOld(number) && (!ticks.has(number) || (began && (short) (lastRead - number) > 0)));
    }

    private boolean isOld(int number) {
        return (short) (ticks.newest() - number) > LOST_AGE;
    }

    /** Lets the decoder read the next readable packet. Returns false if all packets must wait for others. */
    boolean next() {
        while ((short) (ticks.newest() - next) >= 0) {
            int number = next++ & U16;
            if (ticks.has(number) && !ticks.isRead(number) && isReady(number) && read(number)) {
                return true;
            }
        }
        return readRefresh();
    }

    /** Returns whether a packet can be read now: the one before it was read, or it depends on none before it. */
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
        if (isRead || !decoder.needsOthers() || isOld(number)) { // the reader never tries this packet again
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

    /** Returns whether repair packets restore too few packets, or too late. Then call {@link AcknowledgedWriter#distrust}. */
    boolean isMissingMuch() {
        boolean areSingle = arrived.lossPercent() > 0;
        return (began && isStuck(LONG_WAIT)) || arrived.missing() > (areSingle ? MAX_MISSING_SINGLY : MAX_MISSING);
    }

    /** Returns the percentage of packets with which a loss begins, for {@link AcknowledgedWriter#losses}. */
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
     * Returns whether the last packet read arrived without unusual delay: it waited neither for a refresh nor long for another packet.
     * {@link PlayoutDelay} must ignore unusual delays, because they end once the notified sender sends independent packets.
     */
    boolean isUsual() {
        return !catchesUp && !waitedLong;
    }
}
