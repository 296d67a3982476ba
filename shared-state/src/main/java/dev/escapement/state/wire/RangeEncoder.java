package dev.escapement.state.wire;

/**
 * Writes bits into bytes: the writing half of a {@link BitCoder}. It may be taken back to a mark, so that what did not fit goes into the
 * next packet.
 *
 * <p>One thread.
 */
final class RangeEncoder extends BitCoder {

    private static final long CARRY = 1L << Integer.SIZE;
    private static final int TOP = 1 << 24;
    private static final int BYTE_MASK = 0xFF;

    private final byte[] bytes;
    private final int[] markedContexts;
    private int start;
    private int size;
    private long low;
    private int range;

    /** The last byte, to which a carry may still be added, and how many bytes of 255 follow it. None before the first: -1. */
    private int cache;

    private int ones;
    private final long[] mark = new long[5];

    RangeEncoder(int contextCount, int mostBytes) {
        super(contextCount);
        bytes = new byte[mostBytes];
        markedContexts = new int[contextCount];
    }

    /** Begins a sequence after some bytes that the caller writes itself. Contexts stay. */
    void begin(int firstByte) {
        start = firstByte;
        size = firstByte;
        low = 0;
        range = -1;
        cache = -1;
        ones = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /** How many bytes there are at most if it ends now. */
    int size() {
        return size + ones + 1 + Integer.BYTES;
    }

    void mark() {
        mark[0] = size;
        mark[1] = low;
        mark[2] = range;
        mark[3] = cache;
        mark[4] = ones;
        System.arraycopy(contexts, 0, markedContexts, 0, contexts.length);
    }

    void backToMark() {
        size = (int) mark[0];
        low = mark[1];
        range = (int) mark[2];
        cache = (int) mark[3];
        ones = (int) mark[4];
        System.arraycopy(markedContexts, 0, contexts, 0, contexts.length);
    }

    @Override
    int code(int probability, int bit) {
        int bound = (range >>> PROBABILITY_BITS) * Math.max(1, probability);
        if (bit != 0) {
            range = bound;
        } else {
            low += bound & 0xFFFF_FFFFL;
            range -= bound;
        }
        normalise();
        return bit;
    }

    @Override
    int codeRaw(int bits, int value) {
        range >>>= bits;
        low += (range & 0xFFFF_FFFFL) * value;
        normalise();
        return value;
    }

    private void normalise() {
        while (Integer.compareUnsigned(range, TOP) < 0) {
            range <<= Byte.SIZE;
            shiftOut();
        }
    }

    private void shiftOut() {
        if (low < CARRY - TOP || low >= CARRY) { // the highest byte is not 255, or a carry has come
            int carry = (int) (low >>> Integer.SIZE);
            if (cache >= 0) {
                put(cache + carry);
            }
            for (; ones > 0; ones--) {
                put(BYTE_MASK + carry);
            }
            cache = (int) (low >>> (Integer.SIZE - Byte.SIZE)) & BYTE_MASK;
        } else {
            ones++;
        }
        low = low << Byte.SIZE & (CARRY - 1);
    }

    private void put(int value) {
        if (size < bytes.length) {
            bytes[size] = (byte) value;
        }
        size++;
    }

    /** Whether all bytes fit. What did not is lost; go back to the mark. */
    boolean fits(int mostBytes) {
        return size() <= Math.min(mostBytes, bytes.length);
    }

    /**
     * Ends the sequence with as few bytes as tell it from all others; a decoder reads zeros from there on.
     *
     * @return how many bytes there are, with those of the caller
     */
    int end() {
        long last = low + (range & 0xFFFF_FFFFL) - 1;
        boolean found = false;
        for (int bits = Integer.SIZE; bits > 0 && !found; bits -= Byte.SIZE) {
            long rounded = (low + (1L << bits) - 1) & -(1L << bits);
            found = rounded <= last;
            low = found ? rounded : low;
        }
        for (int i = 0; i <= Integer.BYTES; i++) {
            shiftOut();
        }
        while (size > start && bytes[size - 1] == 0) {
            size--;
        }
        return size;
    }
}
