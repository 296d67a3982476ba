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

    /** A repair packet follows this many: 50 % more packets repair bursts of eight losses, and a single one within two packets. */
    private static final int PACKETS_PER_REPAIR = 2;

    private final int streamId;
    private final byte[][] packets = new byte[RepairCode.SPAN][PacketHeader.MAX_BYTES];
    private final int[] lengths = new int[RepairCode.SPAN];
    private final byte[] sum = new byte[PacketHeader.MAX_BYTES];
    private int newest;
    private int count;
    private int sums;
    private int sinceSum;

    RepairWriter(int streamId) {
        this.streamId = streamId;
    }

    /** Takes a packet that was written, up to the position, and whether it may have to be repaired. */
    void sent(int number, ByteBuffer packet, int start, boolean isNeeded) {
        int at = number & (RepairCode.SPAN - 1);
        lengths[at] = RepairCode.copy(packet, start, packet.position(), packets[at]);
        newest = number;
        count = Math.min(count + 1, RepairCode.SPAN);
        sinceSum += isNeeded ? 1 : 0;
    }

    /** From now on sums contain only later packets. */
    void forget() {
        count = 0;
        sinceSum = 0;
    }

    boolean isDue() {
        return sinceSum == PACKETS_PER_REPAIR;
    }

    void write(ByteBuffer to) {
        sinceSum = 0;
        sums++;
        int length = 0;
        Arrays.fill(sum, (byte) 0);
        for (int age = 0; age < count; age++) {
            int number = newest - age;
            int at = number & (RepairCode.SPAN - 1);
            length = Math.max(length, lengths[at]);
            RepairCode.add(sum, packets[at], lengths[at], RepairCode.factor(sums, number));
        }
        to.put((byte) KIND).putShort((short) streamId).putShort((short) newest);
        to.put((byte) count).put((byte) sums).put(sum, 0, length);
    }
}
