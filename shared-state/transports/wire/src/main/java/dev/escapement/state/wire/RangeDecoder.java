package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads bits from bytes: the reading half of a {@link BitCoder}. Any bytes decode to some bits; zeros follow the last byte. The caller must
 * check the result, and stop {@linkplain #isBeyondEnd beyond the end}.
 *
 * <p>One thread.
 */
final class RangeDecoder extends BitCoder {

    /** The number of zero bytes on each side of the bytes to read. */
    private static final int ZEROS = Long.BYTES;

    private static final int BYTE_SHIFT = 3;
    private byte[] in = new byte[2 * SenderSession.MAX_PACKET_BYTES];
    private int next;
    private int end;
    private long range;
    private long code;

    /** The number of raw bits that were read, from the end of the bytes. */
    private int rawCount;

    RangeDecoder(int contextCount) {
        super(contextCount, true);
    }

    /** Begins to read at the position of a buffer. Keeps the contexts, the adaptive probabilities. */
    void begin(ByteBuffer bytes) {
        int count = bytes.remaining();
        end = ZEROS + count;
        if (in.length < end + ZEROS) {
            in = new byte[end + ZEROS];
        }
        bytes.get(in, ZEROS, count);
        Arrays.fill(in, end, end + ZEROS, (byte) 0);
        next = ZEROS;
        rawCount = 0;
        range = RangeEncoder.WHOLE_RANGE;
        code = nextBytes() << Integer.SIZE | nextBytes() << Byte.SIZE;
        code |= nextBytes() >>> (2 * Byte.SIZE);
        next -= 2;
    }

    private long nextBytes() {
        int at = Math.min(next, end);
        next += RangeEncoder.BYTES_AT_ONCE;
        return Integer.toUnsignedLong((int) INT.get(in, at)) >>> Byte.SIZE;
    }

    /**
     * Returns whether the decoder has read more than any encoder writes. An encoder leaves out up to {@value RangeEncoder#END_BYTES} bytes
     * at the end of the range; the decoder reads zeros or the first of the raw bits in their place.
     */
    boolean isBeyondEnd() {
        return next - RangeEncoder.END_BYTES + ((rawCount + Byte.SIZE - 1) >>> BYTE_SHIFT) > end;
    }

    @Override
    int code(int probability, int ignored) {
        long bound = (range >>> PROBABILITY_BITS) * Math.max(1, probability);
        int bit;
        if (code < bound) {
            range = bound;
            bit = 1;
        } else {
            code -= bound;
            range -= bound;
            bit = 0;
        }
        while (range < RangeEncoder.MIN_RANGE) {
            range <<= RangeEncoder.BITS_AT_ONCE;
            code = code << RangeEncoder.BITS_AT_ONCE | nextBytes();
        }
        return bit;
    }

    @Override
    void rests(int context, int escapes, int[] values) {
        int mean = mean(context);
        int octave = Residuals.octave(mean);
        int row = Residuals.row(mean, octave);
        int lowBits = Residuals.lowBits(octave);
        long bits = rawBits();
        rawCount += 3 * lowBits;
        for (int k = 0; k < 3; k++) {
            int entry = Residuals.symbol(row, bits);
            bits <<= Residuals.length(entry);
            values[k] = Residuals.value(entry) << lowBits | first(bits, lowBits);
            bits <<= lowBits;
            rawCount += Residuals.length(entry);
        }
        for (int k = 0; k < 3; k++) {
            if (Residuals.isEscape(values[k] >> lowBits)) {
                values[k] = number(escapes, 0) << lowBits | (values[k] & ((1 << lowBits) - 1));
            }
        }
        adapt(context, mean, values);
    }

    @Override
    int raw(int bits, int ignored) {
        int value = first(rawBits(), bits);
        rawCount += bits;
        return value;
    }

    /** Returns at least 57 of the next raw bits, the first one highest. */
    private long rawBits() {
        int at = end - Long.BYTES - (rawCount >>> BYTE_SHIFT);
        return (long) LONG.get(in, Math.max(0, at)) << (rawCount & (Byte.SIZE - 1));
    }

    /** Returns the highest {@code count} bits; 0 for a count of 0. */
    private static int first(long bits, int count) {
        return (int) (bits >>> 1 >>> (Long.SIZE - 1 - count));
    }
}
