package dev.escapement.state.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Codes numbers bit by bit, each bit with a probability that adapts to earlier bits of its context. An encoder writes the bits, a decoder
 * reads them. One description of a format serves both: every method takes the value to write, which a decoder ignores, and returns the
 * value that was written or read.
 *
 * <p>Source: binary adaptive range coding as in LZMA (Igor Pavlov, LZMA specification), with a rate of adaptation of 1 / (n + 1.5) for the
 * first bits of a context, the Krichevsky-Trofimov estimate, and a constant rate from then on.
 *
 * <p>One thread. Allocates nothing after construction.
 */
abstract class BitCoder {

    /** The number of consecutive contexts that {@link #number} uses, from its {@code first} on. */
    static final int CONTEXTS_PER_NUMBER = 46;

    static final int PROBABILITY_BITS = 15;

    // Views of byte arrays: INT for range-coded bytes, LONG for raw bits, which are written as they are.
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int COUNT_BITS = 10;
    private static final int ONE = 1 << (Integer.SIZE - COUNT_BITS);
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int UNKNOWN = (ONE / 2) << COUNT_BITS;
    private static final int RATE_BITS = 16;

    /**
     * The number of coded bits after which a context adapts at a constant rate. A large number suits stable data, a small one changing
     * data.
     */
    private static final int MAX_COUNTED = 120;

    private static final int[] RATES = new int[MAX_COUNTED + 1];

    static {
        for (int n = 0; n <= MAX_COUNTED; n++) {
            RATES[n] = (1 << (RATE_BITS + 1)) / (2 * n + 3);
        }
    }

    private static final int SIGN = 18;
    private static final int SECOND = SIGN + 1;
    private static final int MAX_SECOND = 8;
    private static final int THIRD = SECOND + MAX_SECOND + 1;
    // Contexts: 18 for the length, 1 for the sign, 9 for the second bit, 18 for the third.
    private static final int MAX_THIRD = 8;

    // A context of differences holds their mean, XOR this. So UNKNOWN, the first value of all contexts, is a mean of 4.
    private static final int SOME_MEAN = UNKNOWN ^ (4 << Residuals.MEAN_BITS);

    /** A mean moves by 2^-4 of its distance from the mean size of three new differences, so mostly the last few bodies count. */
    private static final int MEAN_RATE_BITS = 4;

    private static final int HALF_RATE = 1 << (MEAN_RATE_BITS - 1);
    private static final int THIRD_OF_MEAN = (1 << Residuals.MEAN_BITS) / 3;

    /** The contexts. The upper 22 bits are the probability of a 1, the lower 10 bits the number of bits seen. */
    final int[] contexts;

    /** True for a decoder. */
    final boolean reads;

    BitCoder(int contextCount, boolean reads) {
        this.reads = reads;
        contexts = new int[contextCount];
        forget();
    }

    final void forget() {
        Arrays.fill(contexts, UNKNOWN);
    }

    final int bit(int context, int bit) {
        int state = contexts[context];
        int probability = state >>> COUNT_BITS;
        int coded = code(probability >>> (Integer.SIZE - COUNT_BITS - PROBABILITY_BITS), bit);
        int count = state & COUNT_MASK;
        int wanted = coded == 0 ? 0 : ONE - 1;
        // Rounds down, so that the probability stays below 1. A probability of 0 is coded as the smallest possible one.
        int adapted = probability + (int) (((long) (wanted - probability) * RATES[count]) >> RATE_BITS);
        contexts[context] = adapted << COUNT_BITS | Math.min(count + 1, MAX_COUNTED);
        return coded;
    }

    /**
     * Codes a number: its length in bits, its sign, and the bits below the highest one, of which the upper two have adaptive probabilities.
     *
     * @param first the first of its contexts
     */
    final int number(int first, int value) {
        int magnitude = Math.abs(value); // for Integer.MIN_VALUE the same bits, which are its unsigned magnitude
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(magnitude);
        int bits = 0;
        while (bits < Integer.SIZE && bit(first + Math.min(bits, SIGN - 1), bits < wanted ? 1 : 0) != 0) {
            bits++;
        }
        if (bits == 0) {
            return 0;
        }
        int negative = bit(first + SIGN, value >>> (Integer.SIZE - 1));
        int coded = 1;
        int rest = bits - 1;
        if (rest > 0) {
            coded = coded << 1 | bit(first + SECOND + Math.min(bits, MAX_SECOND), magnitude >>> --rest & 1);
        }
        if (rest > 0) {
            int context = first + THIRD + 2 * Math.min(bits, MAX_THIRD) + (coded & 1);
            coded = coded << 1 | bit(context, magnitude >>> --rest & 1);
        }
        if (rest > 0) {
            coded = coded << rest | raw(rest, magnitude & ((1 << rest) - 1));
        }
        return negative == 0 ? coded : -coded;
    }

    /**
     * Codes the differences of three numbers from their predictions in one step. They share a context because their sizes are mostly alike.
     *
     * @param context the context, which adapts to the size of differences
     * @param escapes the first context of {@link #number}, which codes very large differences
     * @param values  the three differences; a decoder sets them
     */
    abstract void rests(int context, int escapes, int[] values);

    /** Returns the mean size of the earlier differences of a context, in units of 2^-{@value Residuals#MEAN_BITS}. */
    final int mean(int context) {
        return contexts[context] ^ SOME_MEAN;
    }

    final void adapt(int context, int mean, int[] values) {
        long sum = Math.abs((long) values[0]) + Math.abs((long) values[1]) + Math.abs((long) values[2]);
        int size = THIRD_OF_MEAN * (int) Math.min(sum, 3 * Residuals.MAX_MEAN);
        contexts[context] = (mean + ((size - mean + HALF_RATE) >> MEAN_RATE_BITS)) ^ SOME_MEAN;
    }

    /** Codes 64 bits whose upper ones are mostly 0. Uses the contexts of two numbers. */
    final long wide(int first, long value) {
        long high = number(first, (int) (value >>> Integer.SIZE));
        return (high << Integer.SIZE) | (number(first + CONTEXTS_PER_NUMBER, (int) value) & 0xFFFF_FFFFL);
    }

    /** Codes a bit, of which {@code probability} is that of a 1, in units of 2^-{@value #PROBABILITY_BITS}. */
    abstract int code(int probability, int bit);

    /** Codes up to 32 equally likely bits without a context. */
    abstract int raw(int bits, int value);
}
