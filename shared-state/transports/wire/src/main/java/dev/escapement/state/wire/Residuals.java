package dev.escapement.state.wire;

/**
 * Prefix codes for the differences between numbers and their predictions, one table row per mean of earlier differences. Four rows make an
 * octave, a factor of two. In the last octave and above, the codes cover the upper bits of differences; the lower bits follow uncoded.
 *
 * <p>Prefix codes need about 1 % more bits than range coding would, but no division, and a decoder need not update a range before the next
 * symbol. The tables are computed with single operations of IEEE 754, so that they are the same on all platforms.
 */
final class Residuals {

    /**
     * The offset of symbols. A symbol is the upper bits of a difference, from -24 to 23, plus this offset. One more symbol stands for all
     * larger differences.
     */
    private static final int MAX = 24;

    private static final int ESCAPE = 2 * MAX;

    /** The number of fraction bits of a mean: means are in units of 2^-8. */
    static final int MEAN_BITS = 8;

    /** The largest mean. It limits three codes and the uncoded bits after them to 57 bits. */
    static final int MAX_MEAN = (1 << 12) - 1;

    private static final int MAX_CODE_BITS = 10;

    private static final int LENGTH_BITS = 4;
    private static final int ROW_BITS = 6;
    private static final int FOURTHS = 4;
    private static final int FIRST_OCTAVE = MEAN_BITS - 5;

    /** The last octave, from a mean of 8 on: the lowest bits of differences follow uncoded. */
    private static final int LAST_OCTAVE = MEAN_BITS + 3;

    private static final int ROWS = FOURTHS * (LAST_OCTAVE - FIRST_OCTAVE + 1);

    /** The ratio of the distribution's parameter to the mean, below 1 because means contain a few large differences. */
    private static final double TYPICAL = 0.9;

    /** The prefix code per table row and symbol, with the length of the code in the lowest bits. */
    private static final short[] CODES = new short[ROWS << ROW_BITS];

    /** The decoding table, per row and next bits: the symbol that the bits begin with, and the length of its code. */
    private static final short[] SYMBOLS = new short[ROWS << MAX_CODE_BITS];

    static {
        for (int row = 0; row < ROWS; row++) {
            fill(row, lengths(weights(row)));
        }
    }

    private Residuals() {}

    /** Returns the probability of each symbol, by a geometric distribution with two sides. */
    private static double[] weights(int row) {
        int octave = FIRST_OCTAVE + row / FOURTHS;
        double mean = (1 << octave) * (1 + (row % FOURTHS + 0.5) / FOURTHS) / (1 << MEAN_BITS);
        int width = octave == LAST_OCTAVE ? 2 : 1;
        double decay = TYPICAL * mean / (1 + TYPICAL * mean);
        double[] weights = new double[ESCAPE + 1];
        double weight = 0.5; // the weight is split between the two sides; 0 belongs to both
        double sum = 0;
        for (int size = 0; weight > 1e-9; size++) {
            weights[symbolOf(size, width)] += weight;
            weights[symbolOf(-size, width)] += weight;
            sum += 2 * weight;
            weight *= size == 0 ? 2 * decay : decay;
        }
        for (int symbol = 0; symbol <= ESCAPE; symbol++) {
            weights[symbol] /= sum;
        }
        return weights;
    }

    private static int symbolOf(int difference, int width) {
        int high = Math.floorDiv(difference, width);
        return high < -MAX || high >= MAX ? ESCAPE : high + MAX;
    }

    /** Returns the length of each symbol's code. Begins with lengths that fit, and then shortens the codes that gain most. */
    private static int[] lengths(double[] weights) {
        int[] lengths = new int[weights.length];
        int all = 1 << MAX_CODE_BITS;
        int free = all;
        for (int symbol = 0; symbol < lengths.length; symbol++) {
            double some = 1 + weights[symbol] * (all - lengths.length);
            lengths[symbol] = MAX_CODE_BITS - Math.getExponent(some);
            free -= all >> lengths[symbol];
        }
        int best = 0;
        while (best >= 0) {
            best = -1;
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                boolean fits = all >> lengths[symbol] <= free;
                if (fits && (best < 0 || gain(weights, lengths, symbol) > gain(weights, lengths, best))) {
                    best = symbol;
                }
            }
            if (best >= 0) {
                free -= all >> lengths[best]--;
            }
        }
        return lengths;
    }

    /** Returns how much shortening a code by one bit gains, per unit of code space that this uses up. */
    private static double gain(double[] weights, int[] lengths, int symbol) {
        return weights[symbol] * (1 << lengths[symbol]);
    }

    private static void fill(int row, int[] lengths) {
        int from = 0;
        for (int length = 1; length <= MAX_CODE_BITS; length++) {
            for (int symbol = 0; symbol <= ESCAPE; symbol++) {
                if (lengths[symbol] == length) {
                    int end = from + (1 << (MAX_CODE_BITS - length));
                    CODES[(row << ROW_BITS) + symbol] =
                            (short) (from >> (MAX_CODE_BITS - length) << LENGTH_BITS | length);
                    for (int next = from; next < end; next++) {
                        SYMBOLS[(row << MAX_CODE_BITS) + next] = (short) ((symbol - MAX) << LENGTH_BITS | length);
                    }
                    from = end;
                }
            }
        }
    }

    /** Returns a mean's octave; the first octave includes all smaller means. */
    static int octave(int mean) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(mean | 1 << FIRST_OCTAVE);
    }

    /** Returns the row for a mean. All means above the last octave use the rows of that octave. */
    static int row(int mean, int octave) {
        // The mean's highest bit and the two bits below it form a number from 4 to 7: 4 plus the row in the octave.
        return FOURTHS * (Math.min(octave, LAST_OCTAVE) - FIRST_OCTAVE - 1) + ((mean >>> (octave - 2)) | FOURTHS);
    }

    /** Returns how many low bits of a difference follow its symbol uncoded. */
    static int lowBits(int octave) {
        return Math.max(0, octave - LAST_OCTAVE + 1);
    }

    /** Returns the table entry for a difference's upper bits: {@link #value} is the code, {@link #length} its length. */
    static int code(int row, int high) {
        return CODES[(row << ROW_BITS) + (isEscape(high) ? ESCAPE : high + MAX)];
    }

    /** Returns the table entry for the next bits: {@link #value} is the difference's upper bits, {@link #length} the length of the code. */
    static int symbol(int row, long bits) {
        return SYMBOLS[(row << MAX_CODE_BITS) + (int) (bits >>> (Long.SIZE - MAX_CODE_BITS))];
    }

    /** Returns whether upper bits of a difference are too large for a code of their own. */
    static boolean isEscape(int high) {
        return ((high + MAX) | (MAX - 1 - high)) < 0;
    }

    static int value(int entry) {
        return entry >> LENGTH_BITS;
    }

    static int length(int entry) {
        return entry & ((1 << LENGTH_BITS) - 1);
    }
}
