package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes repair packets: {@linkplain RepairCode sums} of the latest packets of a sequence.
 *
 * <p>One thread.
 */
final class RepairWriter {

    /** The first byte of a repair packet. */
    static final int KIND = 0x31;

    /** The usual number of repair packets per packet. They restore a burst of eight losses, and a single loss within two packets. */
    private static final double USUAL = 0.5;

    /**
     * The additional repair packets per packet for each percent of packets with which a loss begins. With them, about as many packets
     * arrive as without losses.
     */
    private static final double MORE_PER_PERCENT = 0.03;

    /**
     * The percentage of losses above which no more repair packets are added. The limit keeps all packets within 1.5 times the usual number,
     * because an overloaded network loses packets, too, and more packets make it worse.
     */
    private static final int MAX_PERCENT = 25;

    private final int streamId;
    private final byte[][] packets = new byte[RepairCode.SPAN][SenderSession.MAX_PACKET_BYTES];
    private final int[] lengths = new int[RepairCode.SPAN];
    private final byte[] sum = new byte[SenderSession.MAX_PACKET_BYTES];
    private int newest;
    private int count;
    private int sums;

    private double perPacket = USUAL;
    private double due;

    RepairWriter(int streamId) {
        this.streamId = streamId;
    }

    /** Adds a written packet, up to the buffer's position. If {@code isNeeded}, repair packets for it become due. */
    void sent(int number, ByteBuffer packet, int start, boolean isNeeded) {
        int at = number & (RepairCode.SPAN - 1);
        lengths[at] = RepairCode.copy(packet, start, packet.position(), packets[at]);
        newest = number;
        count = Math.min(count + 1, RepairCode.SPAN);
        due += isNeeded ? perPacket : 0;
    }

    /** Excludes all earlier packets from later sums. */
    void forget() {
        count = 0;
        due = 0;
    }

    /** Sets the percentage of packets with which a loss begins. */
    void losses(int percent) {
        perPacket = USUAL + Math.min(percent, MAX_PERCENT) * MORE_PER_PERCENT;
    }

    boolean isDue() {
        return due >= 1;
    }

    void write(ByteBuffer to) {
        due--;
        sums++;
        int length = 0;
        Arrays.fill(sum, (byte) 0);
        for (int number = newest; number > newest - count; number--) {
            int at = number & (RepairCode.SPAN - 1);
            length = Math.max(length, lengths[at]);
            RepairCode.add(sum, packets[at], lengths[at], RepairCode.factor(sums, number));
        }
        to.put((byte) KIND).putShort((short) streamId).putShort((short) newest);
        to.put((byte) count).put((byte) sums).put(sum, 0, length);
    }
}
