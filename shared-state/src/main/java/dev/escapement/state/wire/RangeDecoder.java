package dev.escapement.state.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads bits from bytes: the reading half of a {@link BitCoder}. Any bytes are read as some bits, without an end: what follows the bytes is
 * read as zeros. It is for the caller to check what comes out.
 *
 * <p>One thread.
 */
final class RangeDecoder extends BitCoder {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** The bytes, and zeros. */
    private byte[] in = new byte[2 * PacketHeader.MOST_BYTES];

    private int next;
    private int end;
    private long range;
    private long code;

    RangeDecoder(int contextCount) {
        super(contextCount);
    }

    /** Begins to read at the position of a buffer. Contexts stay. */
    void begin(ByteBuffer bytes) {
        end = bytes.remaining();
        if (in.length < end + Integer.BYTES) {
            in = new byte[end + Integer.BYTES];
        }
        bytes.get(in, 0, end);
        Arrays.fill(in, end, end + Integer.BYTES, (byte) 0);
        next = 0;
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
        normalise();
        return bit;
    }

    @Override
    int codeSymbol(int row, int lowBits, int ignored) {
        int place = place(Residuals.TOTAL_BITS + lowBits);
        int symbol = Residuals.symbolAt(row, place >>> lowBits);
        int share = Residuals.share(row, symbol);
        int frequency = Residuals.frequency(share);
        int from = Residuals.from(share) << lowBits;
        int low = (place - from) / frequency;
        code -= range * (from + low * frequency);
        range *= frequency;
        normalise();
        return symbol << lowBits | low;
    }

    @Override
    int codeRaw(int bits, int ignored) {
        int value = place(bits);
        code -= range * value;
        normalise();
        return value;
    }

    /** Divides the range into 2 to the power of some bits parts. Returns the one to read. */
    private int place(int bits) {
        range >>>= bits;
        long place = code / range;
        if (place >>> bits != 0) { // bytes that no encoder writes
            place = (1L << bits) - 1;
            code = (range << bits) - 1;
        }
        return (int) place;
    }

    private void normalise() {
        while (range < RangeEncoder.LEAST_RANGE) {
            range <<= RangeEncoder.BITS_AT_ONCE;
            code = code << RangeEncoder.BITS_AT_ONCE | nextBytes();
        }
    }
}
