package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes repair packets: {@linkplain RepairCode sums} of the latest packets of a sequence.
 *
 * <p>One thread.
 */
final class RepairWriter {

    private final int kind;
    private final int streamId;
    private final int every;
    private final byte[][] packets = new byte[RepairCode.SPAN][PacketHeader.MOST_BYTES];
    private final int[] lengths = new int[RepairCode.SPAN];
    private final byte[] sum = new byte[PacketHeader.MOST_BYTES];
    private int newest;
    private int count;
    private int sums;
    private int sinceSum;
    private int due;
    private boolean off;

    /**
     * Creates a writer.
     *
     * @param kind     the first byte of its packets
     * @param streamId the stream
     * @param every    after so many packets a repair packet is due
     */
    RepairWriter(int kind, int streamId, int every) {
        this.kind = kind;
        this.streamId = streamId;
        this.every = every;
    }

    /** Takes a packet that was written, up to the position, and whether it may have to be repaired. */
    void sent(int number, ByteBuffer packet, int start, boolean isNeeded) {
        if (off) {
            return;
        }
        int at = number & (RepairCode.SPAN - 1);
        lengths[at] = RepairCode.copy(packet, start, packet.position(), packets[at]);
        newest = number;
        count = Math.min(count + 1, RepairCode.SPAN);
        sinceSum += isNeeded ? 1 : 0;
        if (sinceSum == every) {
            finish(1);
        }
    }

    /** None is ever due. */
    void turnOff() {
        off = true;
    }

    /** So many repair packets are due now: nothing follows for a while. */
    void finish(int repairs) {
        due = off ? 0 : repairs;
        sinceSum = 0;
    }

    /** Sums are of later packets only. */
    void forget() {
        count = 0;
        finish(0);
    }

    boolean isDue() {
        return due > 0;
    }

    void write(ByteBuffer to) {
        due--;
        sums++;
        int length = 0;
        Arrays.fill(sum, (byte) 0);
        for (int age = 0; age < count; age++) {
            int number = newest - age;
            int at = number & (RepairCode.SPAN - 1);
            length = Math.max(length, lengths[at]);
            RepairCode.add(sum, packets[at], lengths[at], RepairCode.factor(sums, number));
        }
        to.put((byte) kind).putShort((short) streamId).putShort((short) newest);
        to.put((byte) count).put((byte) sums).put(sum, 0, length);
    }
}
