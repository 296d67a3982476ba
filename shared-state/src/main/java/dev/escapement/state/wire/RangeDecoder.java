package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * Reads bits from bytes: the reading half of a {@link BitCoder}. Any bytes are read as some bits, without an end: what follows the bytes is
 * read as zeros. It is for the caller to check what comes out.
 *
 * <p>One thread.
 */
final class RangeDecoder extends BitCoder {

    private static final int TOP = 1 << 24;
    private static final int BYTE_MASK = 0xFF;

    private ByteBuffer in = ByteBuffer.allocate(0);
    private int range;
    private int code;

    RangeDecoder(int contextCount) {
        super(contextCount);
    }

    /** Begins to read at the position of a buffer. Contexts stay. */
    void begin(ByteBuffer bytes) {
        in = bytes;
        range = -1;
        code = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            code = code << Byte.SIZE | nextByte();
        }
    }

    private int nextByte() {
        return in.hasRemaining() ? in.get() & BYTE_MASK : 0;
    }

    @Override
    int code(int probability, int ignored) {
        int bound = (range >>> PROBABILITY_BITS) * Math.max(1, probability);
        int bit;
        if (Integer.compareUnsigned(code, bound) < 0) {
            range = bound;
            bit = 1;
        } else {
            code -= bound;
            range -= bound;
            bit = 0;
        }
        normalise();
        return bit;
    }

    @Override
    int codeRaw(int bits, int ignored) {
        range >>>= bits;
        // Bytes that no encoder writes may lie beyond; they are read as the largest value.
        int value = Math.min(Integer.divideUnsigned(code, range), (1 << bits) - 1);
        code -= range * value;
        normalise();
        return value;
    }

    private void normalise() {
        while (Integer.compareUnsigned(range, TOP) < 0) {
            range <<= Byte.SIZE;
            code = code << Byte.SIZE | nextByte();
        }
    }
}
