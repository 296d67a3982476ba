package dev.escapement.state.wire;

import java.util.Arrays;

/**
 * Codes numbers bit by bit, each with a probability that adapts to the bits before it in the same context. An encoder writes them, a
 * decoder reads them. What is coded is described once for both: every method takes the value to write, which a decoder ignores, and
 * returns the value that was written or read.
 *
 * <p>Source: binary adaptive range coding as in LZMA (Igor Pavlov, LZMA specification), with a rate of adaptation of 1 / (n + 1.5) for the
 * first bits of a context, the Krichevsky-Trofimov estimate, and a constant rate from then on.
 *
 * <p>One thread. Allocates nothing after construction.
 */
abstract class BitCoder {

    /** How many contexts {@link #number} takes from its first one on. */
    static final int CONTEXTS_PER_NUMBER = 48;

    /** The probability of a 1, of which so many bits are used. */
    static final int PROBABILITY_BITS = 15;

    private static final int COUNT_BITS = 10;
    private static final int ONE = 1 << (Integer.SIZE - COUNT_BITS);
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int UNKNOWN = (ONE / 2) << COUNT_BITS;
    private static final int RATE_BITS = 16;

    /** From so many bits on the rate is constant. Larger: better where nothing changes; smaller: better where everything does. */
    private static final int MOST_COUNTED = 120;

    private static final int[] RATES = new int[MOST_COUNTED + 1];

    static {
        for (int n = 0; n <= MOST_COUNTED; n++) {
            RATES[n] = (1 << (RATE_BITS + 1)) / (2 * n + 3);
        }
    }

    private static final int SIGN = 18;
    private static final int SECOND = SIGN + 3;
    private static final int MOST_SECOND = 8;
    private static final int THIRD = SECOND + MOST_SECOND + 1;
    private static final int MOST_THIRD = 8; // 18 + 3 + 9 + 18 contexts
    private static final int RAW_AT_ONCE = 16;

    // A context of differences: their mean, and how many it has seen. It begins as an unknown one of bits.
    private static final int SEEN_BITS = 5;
    private static final int SEEN_MASK = (1 << SEEN_BITS) - 1;
    private static final int MOST_SEEN = 24;
    private static final int SOME_MEAN = 4 << (Residuals.MEAN_BITS + SEEN_BITS);
    private static final int MOST_SIZE = (1 << 18) - 1;
    private static final int HALF_RATE = 1 << (RATE_BITS - 1);
    private static final int[] MEAN_RATES = Arrays.copyOf(RATES, MOST_SEEN + 1);

    /** Per context: the probability of a 1 in the upper 22 bits, and how many bits it has seen in the lower ones. */
    final int[] contexts;

    BitCoder(int contextCount) {
        contexts = new int[contextCount];
        forget();
    }

    /** Knows nothing of any context. */
    final void forget() {
        Arrays.fill(contexts, UNKNOWN);
    }

    /** Codes a bit in a context. */
    final int bit(int context, int bit) {
        int state = contexts[context];
        int probability = state >>> COUNT_BITS;
        int coded = code(probability >>> (Integer.SIZE - COUNT_BITS - PROBABILITY_BITS), bit);
        int count = state & COUNT_MASK;
        int wanted = coded == 0 ? 0 : ONE - 1;
        // Rounds towards less, so that 1 is never reached; a probability of 0 is coded as the least that there is.
        int adapted = probability + (int) (((long) (wanted - probability) * RATES[count]) >> RATE_BITS);
        contexts[context] = adapted << COUNT_BITS | Math.min(count + 1, MOST_COUNTED);
        return coded;
    }

    /** Codes up to 32 bits that are equally likely. */
    final int raw(int bits, int value) {
        int low = Math.min(bits, RAW_AT_ONCE);
        int high = bits - low;
        int result = high == 0 ? 0 : codeRaw(high, value >>> low) << low;
        return result | codeRaw(low, value & ((1 << low) - 1));
    }

    /**
     * Codes a number: how many bits it has, its sign, and the bits below the highest one, of which two adapt.
     *
     * @param first the first of its contexts
     * @param sign  which context its sign has, 0 to 2: signs of differences often follow those of others
     */
    final int number(int first, int value, int sign) {
        int magnitude = Math.abs(value); // that of the least int is itself, unsigned
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(magnitude);
        int bits = 0;
        while (bits < Integer.SIZE && bit(first + Math.min(bits, SIGN - 1), bits < wanted ? 1 : 0) != 0) {
            bits++;
        }
        if (bits == 0) {
            return 0;
        }
        int negative = bit(first + SIGN + sign, value >>> (Integer.SIZE - 1));
        int coded = 1;
        int rest = bits - 1;
        if (rest > 0) {
            coded = coded << 1 | bit(first + SECOND + Math.min(bits, MOST_SECOND), magnitude >>> --rest & 1);
        }
        if (rest > 0) {
            int context = first + THIRD + 2 * Math.min(bits, MOST_THIRD) + (coded & 1);
            coded = coded << 1 | bit(context, magnitude >>> --rest & 1);
        }
        if (rest > 0) {
            coded = coded << rest | raw(rest, magnitude & ((1 << rest) - 1));
        }
        return negative == 0 ? coded : -coded;
    }

    /**
     * Codes by how much something differs from a prediction, in one step.
     *
     * @param context adapts to how large differences are
     * @param escapes the first of the contexts of a number, for very large differences
     */
    final int rest(int context, int escapes, int value) {
        int state = contexts[context] ^ UNKNOWN ^ SOME_MEAN;
        int mean = state >>> SEEN_BITS;
        int scale = Residuals.scale(mean);
        int lowBits = Residuals.lowBits(scale);
        int high = value >> lowBits;
        int symbol = high + Residuals.MOST;
        symbol = (symbol | Residuals.ESCAPE - 1 - symbol) < 0 ? Residuals.ESCAPE : symbol;
        int low = value & ((1 << lowBits) - 1);
        int coded = codeSymbol(Residuals.row(scale), lowBits, symbol << lowBits | low);
        symbol = coded >>> lowBits;
        int result = coded - (Residuals.MOST << lowBits);
        if (symbol == Residuals.ESCAPE) {
            result = number(escapes, high, 0) << lowBits | (coded & ((1 << lowBits) - 1));
        }
        int seen = state & SEEN_MASK;
        int size = Math.min(Math.abs(result) & Integer.MAX_VALUE, MOST_SIZE) << Residuals.MEAN_BITS;
        int adapted = mean + (int) (((long) (size - mean) * MEAN_RATES[seen] + HALF_RATE) >> RATE_BITS);
        contexts[context] = (adapted << SEEN_BITS | Math.min(seen + 1, MOST_SEEN)) ^ UNKNOWN ^ SOME_MEAN;
        return result;
    }

    /** Codes 64 bits, of which the upper ones are mostly 0. Takes the contexts of two numbers. */
    final long wide(int first, long value) {
        long high = number(first, (int) (value >>> Integer.SIZE), 0);
        return (high << Integer.SIZE) | (number(first + CONTEXTS_PER_NUMBER, (int) value, 0) & 0xFFFF_FFFFL);
    }

    /** Codes a bit of which the probability to be 1 is given, in {@value #PROBABILITY_BITS} bits. */
    abstract int code(int probability, int bit);

    /** Codes a symbol of {@link Residuals}, and some equally likely bits below it. */
    abstract int codeSymbol(int row, int lowBits, int symbolAndLow);

    /** Codes up to 16 equally likely bits. */
    abstract int codeRaw(int bits, int value);
}
