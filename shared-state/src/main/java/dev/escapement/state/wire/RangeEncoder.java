package dev.escapement.state.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes bits into bytes: the writing half of a {@link BitCoder}. It may be taken back to a mark, so that what did not fit goes into the
 * next packet.
 *
 * <p>One thread.
 */
final class RangeEncoder extends BitCoder {

    /** Of the lower end, so many bits are not yet written; one above them is a carry. */
    private static final int OPEN_BITS = 56;

    static final long WHOLE_RANGE = 1L << OPEN_BITS;

    /** Where the range is smaller than this, bytes are written. */
    static final long LEAST_RANGE = 1L << Integer.SIZE;

    static final int BYTES_AT_ONCE = 3;
    static final int BITS_AT_ONCE = BYTES_AT_ONCE * Byte.SIZE;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private final int[] markedContexts;
    private int start;
    private int size;

    /** The last three bytes, which are not yet written because a carry may still be added to them. */
    private int open;

    private long low;
    private long range;
    private int markedSize;
    private int markedOpen;
    private long markedLow;
    private long markedRange;

    /** Whether a carry went into bytes before the mark. */
    private boolean carriedBeyondMark;

    RangeEncoder(int contextCount, int mostBytes) {
        super(contextCount);
        bytes = new byte[mostBytes];
        markedContexts = new int[contextCount];
    }

    /** Begins a sequence after some bytes that the caller writes itself. Contexts stay. */
    void begin(int firstByte) {
        start = firstByte;
        size = firstByte - BYTES_AT_ONCE;
        open = 0;
        low = 0;
        range = WHOLE_RANGE;
    }

    byte[] bytes() {
        return bytes;
    }

    /** How many bytes there are at most if it ends now. */
    int size() {
        return size + 2 * BYTES_AT_ONCE;
    }

    void mark() {
        markedSize = size;
        markedOpen = open;
        markedLow = low;
        markedRange = range;
        carriedBeyondMark = false;
        System.arraycopy(contexts, 0, markedContexts, 0, contexts.length);
    }

    void backToMark() {
        size = markedSize;
        open = markedOpen;
        low = markedLow;
        range = markedRange;
        for (int i = size - 1; carriedBeyondMark && i >= start; i--) {
            carriedBeyondMark = bytes[i]-- == 0;
        }
        System.arraycopy(markedContexts, 0, contexts, 0, contexts.length);
    }

    @Override
    int code(int probability, int bit) {
        long bound = (range >>> PROBABILITY_BITS) * Math.max(1, probability);
        if (bit != 0) {
            range = bound;
        } else {
            low += bound;
            range -= bound;
        }
        normalise();
        return bit;
    }

    @Override
    int codeSymbol(int row, int lowBits, int symbolAndLow) {
        int symbol = symbolAndLow >>> lowBits;
        int share = Residuals.share(row, symbol);
        int frequency = Residuals.frequency(share);
        range >>>= Residuals.TOTAL_BITS + lowBits;
        low += range * ((Residuals.from(share) << lowBits) + (symbolAndLow & ((1 << lowBits) - 1)) * frequency);
        range *= frequency;
        normalise();
        return symbolAndLow;
    }

    @Override
    int codeRaw(int bits, int value) {
        range >>>= bits;
        low += range * value;
        normalise();
        return value;
    }

    private void normalise() {
        while (range < LEAST_RANGE) {
            shiftOut();
            range <<= BITS_AT_ONCE;
        }
    }

    private void shiftOut() {
        int written = open + (int) (low >>> OPEN_BITS);
        if (written >>> BITS_AT_ONCE != 0) {
            carry();
        }
        if (size >= start && size + Integer.BYTES <= bytes.length) {
            INT.set(bytes, size, written << Byte.SIZE); // one byte more, written again with the next ones
        }
        size += BYTES_AT_ONCE;
        open = (int) (low >>> Integer.SIZE) & (-1 >>> Byte.SIZE);
        low = (low & (LEAST_RANGE - 1)) << BITS_AT_ONCE;
    }

    /** A carry beyond the three open bytes. */
    private void carry() {
        int i = size - 1;
        while (i < bytes.length && i >= start && ++bytes[i] == 0) {
            i--;
        }
        carriedBeyondMark |= i < markedSize;
    }

    /** Whether all bytes fit. What did not is lost; go back to the mark. */
    boolean fits(int mostBytes) {
        return size() <= Math.min(mostBytes, bytes.length - Integer.BYTES);
    }

    /**
     * Ends the sequence with as few bytes as tell it from all others; a decoder reads zeros from there on.
     *
     * @return how many bytes there are, with those of the caller
     */
    int end() {
        long last = low + range - 1;
        boolean found = false;
        for (int bits = OPEN_BITS; bits >= 0 && !found; bits -= Byte.SIZE) {
            long rounded = (low + (1L << bits) - 1) & -(1L << bits);
            found = rounded <= last;
            low = found ? rounded : low;
        }
        shiftOut();
        shiftOut();
        while (size > start && bytes[size - 1] == 0) {
            size--;
        }
        return size;
    }
}
