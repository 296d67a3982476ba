package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * Puts the packets of a {@link BroadcastWriter} in order for a decoder: computes those that were lost, and begins again with a refresh
 * where that is not possible.
 *
 * <pre>{@code
 * reader.take(packet);
 * while (reader.next()) {
 *     // the decoder has read one more
 * }
 * }</pre>
 *
 * <p>Any bytes are taken or refused; memory is bounded by {@value RepairedPackets#KEPT} packets of ticks, and as many of refreshes.
 *
 * <p>One thread. Allocates nothing once it has seen packets as long as come.
 */
public final class BroadcastReader {

    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;
    private static final int NUMBER_AT = 3;

    /** A packet that is missing while so many newer ones are there is lost for good. */
    private static final int LOST_AGE = 2 * RepairCode.SPAN;

    /** A refresh with more packets than this is not read. */
    private static final int MOST_REFRESH = RepairedPackets.KEPT / 2;

    private final SnapshotDecoder decoder;
    private final RepairedPackets ticks = new RepairedPackets();
    private final RepairedPackets refreshes = new RepairedPackets();
    private final PacketHeader header = new PacketHeader();

    /** Whether all before the next packet was read. */
    private boolean inOrder;

    /** Whether any was. */
    private boolean began;

    private int next;

    /** Whether packets are read that have waited for a refresh. */
    private boolean catchesUp;

    /**
     * Creates a reader.
     *
     * @param decoder reads the packets; nothing else is to give it any
     */
    public BroadcastReader(SnapshotDecoder decoder) {
        this.decoder = decoder;
    }

    /** Another stream begins. */
    void forget() {
        ticks.forget();
        refreshes.forget();
        inOrder = false;
        began = false;
    }

    /** The number of a packet, if it tells of a tick; else -1. */
    static int tickPacket(ByteBuffer packet) {
        int at = packet.position();
        boolean isOne = packet.remaining() >= RepairCode.HEADER_BYTES
                && (packet.get(at) & U8) >>> PacketHeader.FLAG_BITS == PacketHeader.VERSION;
        return isOne ? packet.getShort(at + NUMBER_AT) & U16 : -1;
    }

    /**
     * Takes a packet.
     *
     * @param packet   any bytes; read from its position on
     * @return whether it is of use
     */
    public boolean take(ByteBuffer packet) {
        if (packet.remaining() < RepairCode.HEADER_BYTES) {
            return false;
        }
        int first = packet.get(packet.position()) & U8;
        int number = packet.getShort(packet.position() + NUMBER_AT) & U16;
        if (!decoder.isExpected(packet.getShort(packet.position() + 1) & U16)) {
            return false;
        }
        int version = first >>> PacketHeader.FLAG_BITS;
        if (version == PacketHeader.VERSION) {
            return ticks.add(number, packet);
        }
        if (version == BroadcastWriter.REFRESH_VERSION) {
            BroadcastWriter.exchangeVersion(packet, packet.position());
            return refreshes.add(number, packet);
        }
        return first == BroadcastWriter.TICK_REPAIR
                ? ticks.addSum(packet)
                : first == BroadcastWriter.REFRESH_REPAIR && refreshes.addSum(packet);
    }

    /**
     * Lets the decoder read the next packet that it can.
     *
     * @return false if it must wait for others
     */
    public boolean next() {
        while (inOrder || findStart()) {
            if (!ticks.has(next)) {
                int behind = (short) (ticks.newest() - next);
                if (behind >= -1 && behind <= LOST_AGE) {
                    return false;
                }
            } else if (decoder.decode(ticks.packet(next))) {
                catchesUp &= next != ticks.newest();
                next = (next + 1) & U16;
                return true;
            }
            inOrder = false;
        }
        return readRefresh();
    }

    /** Looks for the packet after which all can be read, the newest first. */
    private boolean findStart() {
        int newest = ticks.newest();
        // After so long, numbers tell nothing of what was read.
        began &= Math.abs((short) (newest - next)) < RepairedPackets.KEPT;
        for (int age = 0; newest >= 0 && age < RepairedPackets.KEPT; age++) {
            int number = newest - age & U16;
            boolean isLater = !began || (short) (number - next) > 0;
            if (isLater && ticks.has(number) && isStart(ticks.packet(number))) {
                next = number;
                catchesUp = true;
                inOrder = true;
                began = true;
                return true;
            }
        }
        return false;
    }

    /** Whether a packet needs nothing, or only a tick that is known. */
    private boolean isStart(ByteBuffer packet) {
        return header.read(packet, decoder.newestTick())
                && header.firstChunk == 0
                && header.secondAge == 0
                && header.contextsAge == 0
                && (header.baseAge == 0 || decoder.isWhole(header.tick - header.baseAge));
    }

    private boolean readRefresh() {
        int newest = refreshes.newest();
        for (int age = MOST_REFRESH; newest >= 0 && age >= 0; age--) {
            int number = newest - age & U16;
            if (refreshes.read(number) && decoder.decode(refreshes.packet(number))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the packet that was read last did not wait for a refresh, or for the time that it took to read what did. */
    boolean isPrompt() {
        return inOrder && !catchesUp;
    }
}
