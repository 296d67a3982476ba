package dev.escapement.state.wire;

/**
 * Writes bits into bytes: the writing half of a {@link BitCoder}.
 *
 * <p>Range-coded bits fill the bytes from the front, and raw bits from the end towards the front, so that neither part needs an end mark.
 *
 * <p>One thread.
 */
final class RangeEncoder extends BitCoder {

    /** The number of bits of the range's lower end that are not yet written. The bit above them is a carry. */
    private static final int OPEN_BITS = 56;

    static final long WHOLE_RANGE = 1L << OPEN_BITS;

    /** When the range falls below this size, the encoder writes bytes. */
    static final long MIN_RANGE = 1L << Integer.SIZE;

    static final int BYTES_AT_ONCE = 3;
    static final int BITS_AT_ONCE = BYTES_AT_ONCE * Byte.SIZE;

    /** Ending a sequence adds at most this many bytes to those written before. */
    static final int END_BYTES = 7;

    private static final int BYTE_SHIFT = 3;

    private final byte[] bytes;
    private int size;

    /** The last three bytes, not yet written because a carry may still be added to them. */
    private int open;

    private long low;
    private long range;

    /** Bits that are not range-coded, in whole bytes. Filled from the end of the array. */
    private final byte[] rawBytes;

    /** The number of bytes of {@link #rawBytes} that are still free. */
    private int rawAt;

    /** Raw bits that do not fill a byte yet, from the highest bit down. */
    private long rawBits;

    private int rawCount;

    RangeEncoder(int contextCount, int maxBytes) {
        super(contextCount, false);
        bytes = new byte[maxBytes];
        rawBytes = new byte[maxBytes + Long.BYTES];
    }

    /** Begins a sequence of bits. Keeps the contexts, the adaptive probabilities. */
    void begin() {
        size = -BYTES_AT_ONCE;
        open = 0;
        low = 0;
        range = WHOLE_RANGE;
        rawAt = rawBytes.length;
        rawBits = 0;
        rawCount = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns how many bytes the sequence has at most if it ends now. */
    int size() {
        return size + END_BYTES + rawSize();
    }

    private int rawSize() {
        return rawBytes.length - rawAt + (rawCount == 0 ? 0 : 1);
    }

    /** Copies another encoder's state. A writer copies it into a mark, and back from the mark if a chunk does not fit into the packet. */
    void copy(RangeEncoder from) {
        size = from.size;
        open = from.open;
        low = from.low;
        range = from.range;
        rawAt = from.rawAt;
        rawBits = from.rawBits;
        rawCount = from.rawCount;
        int openRaw = Math.max(0, rawAt - Long.BYTES);
        // Copies all bytes, because a later carry may change any of them.
        System.arraycopy(from.bytes, 0, bytes, 0, size + Integer.BYTES);
        System.arraycopy(from.rawBytes, openRaw, rawBytes, openRaw, rawBytes.length - openRaw);
        System.arraycopy(from.contexts, 0, contexts, 0, contexts.length);
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
        while (range < MIN_RANGE) {
            shiftOut();
            range <<= BITS_AT_ONCE;
        }
        return bit;
    }

    @Override
    void rests(int context, int escapes, int[] values) {
        int mean = mean(context);
        int octave = Residuals.octave(mean);
        int row = Residuals.row(mean, octave);
        int lowBits = Residuals.lowBits(octave);
        int low = (1 << lowBits) - 1;
        long bits = 0;
        int count = 3 * lowBits;
        for (int k = 0; k < 3; k++) {
            int entry = Residuals.code(row, values[k] >> lowBits);
            bits = (bits << Residuals.length(entry) | Residuals.value(entry)) << lowBits | (values[k] & low);
            count += Residuals.length(entry);
        }
        put(bits, count);
        for (int k = 0; k < 3; k++) {
            if (Residuals.isEscape(values[k] >> lowBits)) {
                number(escapes, values[k] >> lowBits);
            }
        }
        adapt(context, mean, values);
    }

    @Override
    int raw(int bits, int value) {
        put(Integer.toUnsignedLong(value), bits);
        return value;
    }

    /**
     * Writes up to 57 raw bits. Always stores 8 bytes, and the next call overwrites incomplete ones: cheaper than counting complete ones.
     */
    private void put(long value, int bits) {
        int count = rawCount + bits;
        long written = rawBits | value << (Long.SIZE - count);
        int at = rawAt - Long.BYTES;
        if (at >= 0) {
            LONG.set(rawBytes, at, written);
        }
        rawAt -= count >>> BYTE_SHIFT;
        int half = (count & -Byte.SIZE) / 2; // two shifts, because one by 64 would shift nothing
        rawBits = written << half << half;
        rawCount = count & (Byte.SIZE - 1);
    }

    private void shiftOut() {
        int written = open + (int) (low >>> OPEN_BITS);
        if (written >>> BITS_AT_ONCE != 0) {
            carry();
        }
        if (size >= 0 && size + Integer.BYTES <= bytes.length) {
            INT.set(bytes, size, written << Byte.SIZE); // writes one byte too many, which the next write overwrites
        }
        size += BYTES_AT_ONCE;
        open = (int) (low >>> Integer.SIZE) & (-1 >>> Byte.SIZE);
        low = (low & (MIN_RANGE - 1)) << BITS_AT_ONCE;
    }

    /** Propagates a carry into the bytes that are already written. */
    private void carry() {
        int i = size - 1;
        while (i < bytes.length && i >= 0 && ++bytes[i] == 0) {
            i--;
        }
    }

    /** Returns whether all bytes fit. If not, some are lost, and the caller must {@linkplain #copy restore} its mark. */
    boolean fits(int maxBytes) {
        return size() <= Math.min(maxBytes, bytes.length - Integer.BYTES);
    }

    /**
     * Ends the sequence and returns its number of bytes.
     *
     * <p>Writes the fewest bytes that distinguish this sequence from all others, whatever bytes follow. If no bytes follow, a decoder reads
     * up to {@value #END_BYTES} zeros after the end.
     */
    int end() {
        int rawSize = rawSize();
        long last = low + range - 1;
        boolean found = false;
        int bits = OPEN_BITS + Byte.SIZE;
        while (!found) {
            bits -= Byte.SIZE;
            long behind = (1L << bits) - 1;
            long rounded = (low + behind) & ~behind;
            found = rounded + (rawSize == 0 ? 0 : behind) <= last;
            low = found ? rounded : low;
        }
        int least = size + BYTES_AT_ONCE;
        int end = least + (OPEN_BITS - bits) / Byte.SIZE;
        shiftOut();
        shiftOut();
        shiftOut();
        size = end;
        while (rawSize == 0 && size > least && bytes[size - 1] == 0) {
            size--;
        }
        System.arraycopy(rawBytes, rawBytes.length - rawSize, bytes, size, rawSize);
        return size + rawSize;
    }
}
