package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * Computes sums of packets, from which a receiver computes lost packets.
 *
 * <p>This is an erasure code over a sliding window, for receivers that cannot request packets again. Each sum is of the latest
 * {@value #SPAN} packets, every byte of a packet multiplied by a factor of that packet and sum, in the field of 256 elements (polynomial
 * 0x11D). The missing packets are the unknowns of linear equations. The factors form a Cauchy matrix, 1 / (sum XOR packet), so that
 * sums of the same packets are independent.
 *
 * <p>A packet is summed with its length before it, filled up with zeros. See RFC 8681 for codes of this kind.
 */
final class RepairCode {

    /** The number of packets in a sum; a power of two, so that a number modulo it stays consecutive when 16-bit numbers wrap. */
    static final int SPAN = 16;

    static final int LENGTH_BYTES = 2;

    /** The size of the header of a sum: u8 kind, u16 stream, u16 newest packet, u8 packets, u8 sum. Big endian. */
    static final int HEADER_BYTES = 7;

    /** The maximum bytes of a repairable packet, so that a sum with its header is no longer than other packets. */
    static final int MAX_BYTES = SenderSession.MAX_PACKET_BYTES - LENGTH_BYTES - HEADER_BYTES;

    private static final int ELEMENTS = 256;
    private static final int POLYNOMIAL = 0x11D;
    private static final int HALF = ELEMENTS / 2;
    private static final byte[][] PRODUCTS = new byte[ELEMENTS][ELEMENTS];
    private static final int[] INVERSES = new int[ELEMENTS];

    static {
        for (int a = 1; a < ELEMENTS; a++) {
            for (int b = 1; b < ELEMENTS; b++) {
                PRODUCTS[a][b] = (byte) multiply(a, b);
                INVERSES[a] = PRODUCTS[a][b] == 1 ? b : INVERSES[a];
            }
        }
    }

    private RepairCode() {}

    private static int multiply(int a, int b) {
        int sum = 0;
        int shifted = a;
        for (int rest = b; rest != 0; rest >>>= 1) {
            sum ^= (rest & 1) * shifted;
            shifted = shifted << 1 ^ (shifted >= HALF ? POLYNOMIAL : 0);
        }
        return sum;
    }

    /** Returns the factor of a packet in a sum, never 0. */
    static int factor(int sum, int packet) {
        return INVERSES[(HALF | (sum & HALF - 1)) ^ (packet & HALF - 1)];
    }

    static int product(int a, int b) {
        return PRODUCTS[a][b] & ELEMENTS - 1;
    }

    static int quotient(int a, int b) {
        return PRODUCTS[a][INVERSES[b]] & ELEMENTS - 1;
    }

    /** Adds a multiple of some bytes to others. Subtraction is the same operation in this field. */
    static void add(byte[] to, byte[] bytes, int length, int factor) {
        byte[] products = PRODUCTS[factor];
        for (int i = 0; i < length; i++) {
            to[i] ^= products[bytes[i] & ELEMENTS - 1];
        }
    }

    /** Copies a packet, with its length before it. Returns the number of bytes written. */
    static int copy(ByteBuffer packet, int start, int end, byte[] to) {
        int length = end - start;
        to[0] = (byte) (length >>> Byte.SIZE);
        to[1] = (byte) length;
        packet.get(start, to, LENGTH_BYTES, length);
        return LENGTH_BYTES + length;
    }
}
