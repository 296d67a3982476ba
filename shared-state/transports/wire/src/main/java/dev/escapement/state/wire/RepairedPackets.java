package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the latest packets of a sequence, and computes lost ones from the {@linkplain RepairCode sums} that come with them.
 *
 * <p>Accepts or refuses any bytes; memory and work are bounded. One thread. Once this object has seen as many packets as it keeps, it
 * allocates for sums of lost packets alone.
 */
final class RepairedPackets {

    static final int KEPT = 4096;

    /** Only packets at most this many before the latest one are computed. */
    private static final int WINDOW = 4 * RepairCode.SPAN;

    private static final int NONE = -1;
    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;

    // Packet n is stored at index n modulo KEPT.
    private final int[] numbers = new int[KEPT];
    private final @Nullable ByteBuffer[] packets = new ByteBuffer[KEPT];
    private final boolean[] isRead = new boolean[KEPT];
    private int newest = NONE;

    /** The latest packet of which anything is known: it has arrived, or a sum contains it. */
    private int latest;

    /** A sum of missing packets: the other packets of the sum were subtracted from it. */
    private static final class Sum {
        /** The factor of each packet, at its number modulo {@link #WINDOW}; 0 if the packet is not missing, or not in this sum. */
        private final int[] factors = new int[WINDOW];

        private final byte[] bytes = new byte[SenderSession.MAX_PACKET_BYTES];
    }

    /** The sums, each at the number of its oldest packet modulo {@link #WINDOW}. No other sum has that packet (Gauss-Jordan). */
    private final @Nullable Sum[] sums = new Sum[WINDOW];

    private final byte[] solved = new byte[SenderSession.MAX_PACKET_BYTES];

    RepairedPackets() {
        forget();
    }

    void forget() {
        Arrays.fill(numbers, NONE);
        newest = NONE;
        Arrays.fill(sums, null);
    }

    /** The number of the newest packet; -1 if there is none. */
    int newest() {
        return newest;
    }

    boolean has(int number) {
        return numbers[number & (KEPT - 1)] == (number & U16);
    }

    boolean isRead(int number) {
        return isRead[number & (KEPT - 1)];
    }

    void markRead(int number) {
        isRead[number & (KEPT - 1)] = true;
    }

    ByteBuffer packet(int number) {
        ByteBuffer packet = buffer(number);
        return packet.limit(RepairCode.LENGTH_BYTES + packet.getShort(0)).position(RepairCode.LENGTH_BYTES);
    }

    private ByteBuffer buffer(int number) {
        return Objects.requireNonNull(packets[number & (KEPT - 1)]).clear();
    }

    /** Adds a packet. Returns false if it is known already, or too long, or too old. */
    boolean add(int number, ByteBuffer packet) {
        if (packet.remaining() > RepairCode.MAX_BYTES || has(number)) {
            return false;
        }
        if (newest != NONE && Math.abs((short) (number - newest)) >= KEPT) {
            forget(); // the sender numbers packets from the start again, or the numbers may have wrapped
        }
        RepairCode.copy(packet, packet.position(), packet.limit(), keep(number));
        if ((short) (latest - number) < WINDOW) {
            subtractFromAll(number);
        }
        return true;
    }

    private byte[] keep(int number) {
        int at = number & (KEPT - 1);
        ByteBuffer packet = packets[at];
        if (packet == null) {
            packet = ByteBuffer.allocate(RepairCode.LENGTH_BYTES + RepairCode.MAX_BYTES);
            packets[at] = packet;
        }
        numbers[at] = number & U16;
        isRead[at] = false;
        if (newest == NONE) {
            latest = number;
        }
        if (newest == NONE || (short) (number - newest) > 0) {
            newest = number & U16;
        }
        advance(number);
        return packet.array();
    }

    /** Moves the window of the latest packets to a newer one. Drops the sums whose oldest packet leaves the window. */
    private void advance(int number) {
        for (int i = Math.min((short) (number - latest), WINDOW); i > 0; i--) {
            sums[(number - i + 1) & (WINDOW - 1)] = null;
        }
        latest = (short) (number - latest) > 0 ? number : latest;
    }

    /** Adds a repair packet. Returns false if it is malformed. */
    boolean addSum(ByteBuffer packet) {
        int length = packet.remaining() - RepairCode.HEADER_BYTES;
        if (length < RepairCode.LENGTH_BYTES || length > RepairCode.LENGTH_BYTES + RepairCode.MAX_BYTES) {
            return false;
        }
        packet.position(packet.position() + RepairCode.HEADER_BYTES - 4);
        int last = packet.getShort() & U16;
        int count = packet.get() & U8;
        int name = packet.get() & U8;
        if (count == 0 || count > RepairCode.SPAN) {
            return false;
        }
        int far = WINDOW - RepairCode.SPAN; // repair packets alone must not move the window away from arrived packets
        boolean isFar =
                newest == NONE || Math.abs((short) (last - latest)) >= far || Math.abs((short) (last - newest)) >= far;
        int missing = last - count + 1;
        while (missing <= last && has(missing)) {
            missing++;
        }
        if (isFar || missing > last) {
            return true; // no packet of the sum is missing, or the sum is too far from the packets that have arrived
        }
        advance(last);
        Sum sum = new Sum();
        packet.get(sum.bytes, 0, length);
        for (int number = last - count + 1; number <= last; number++) {
            sum.factors[number & (WINDOW - 1)] = RepairCode.factor(name, number);
            if (has(number)) {
                subtract(sum, number);
            }
        }
        insert(sum);
        keepSolved();
        return true;
    }

    private void subtractFromAll(int number) {
        int at = number & (WINDOW - 1);
        Sum beginning = sums[at];
        if (beginning != null) {
            sums[at] = null;
            subtract(beginning, number);
            insert(beginning);
        } else {
            for (Sum sum : sums) {
                if (sum != null) {
                    subtract(sum, number);
                }
            }
        }
        keepSolved();
    }

    @SuppressWarnings("ByteBufferBackingArray") // this class allocates all buffers on the heap, so they have arrays
    private void subtract(Sum sum, int number) {
        int at = number & (WINDOW - 1);
        if (sum.factors[at] != 0) {
            ByteBuffer packet = buffer(number);
            int length = RepairCode.LENGTH_BYTES + packet.getShort(0);
            RepairCode.add(sum.bytes, packet.array(), length, sum.factors[at]);
            sum.factors[at] = 0;
        }
    }

    private void insert(Sum sum) {
        for (int at = 0; at < WINDOW; at++) {
            Sum other = sums[at];
            if (other != null) {
                eliminate(sum, other, at);
            }
        }
        int age = WINDOW - 1;
        while (age >= 0 && sum.factors[(latest - age) & (WINDOW - 1)] == 0) {
            age--;
        }
        if (age < 0) {
            return; // the sum adds nothing: it is a combination of other sums
        }
        int oldest = (latest - age) & (WINDOW - 1);
        for (Sum other : sums) {
            if (other != null) {
                eliminate(other, sum, oldest);
            }
        }
        sums[oldest] = sum;
    }

    /** Subtracts a multiple of {@code sum} from {@code from}, so that {@code from} no longer contains the packet at index {@code at}. */
    private static void eliminate(Sum from, Sum sum, int at) {
        if (from.factors[at] != 0) {
            int factor = RepairCode.quotient(from.factors[at], sum.factors[at]);
            for (int k = 0; k < WINDOW; k++) {
                from.factors[k] ^= RepairCode.product(factor, sum.factors[k]);
            }
            RepairCode.add(from.bytes, sum.bytes, sum.bytes.length, factor);
        }
    }

    /** Computes and stores each packet that is alone in a sum: the sum is then a multiple of the packet. */
    private void keepSolved() {
        for (int at = 0; at < WINDOW; at++) {
            Sum sum = sums[at];
            if (sum != null && isOfOne(sum)) {
                Arrays.fill(solved, (byte) 0);
                RepairCode.add(solved, sum.bytes, solved.length, RepairCode.quotient(1, sum.factors[at]));
                int length = (solved[0] & U8) << Byte.SIZE | (solved[1] & U8);
                if (length <= RepairCode.MAX_BYTES) {
                    byte[] packet = keep(latest - ((latest - at) & (WINDOW - 1)));
                    System.arraycopy(solved, 0, packet, 0, RepairCode.LENGTH_BYTES + length);
                }
                sums[at] = null;
            }
        }
    }

    private static boolean isOfOne(Sum sum) {
        int packets = 0;
        for (int factor : sum.factors) {
            packets += factor == 0 ? 0 : 1;
        }
        return packets == 1;
    }
}
