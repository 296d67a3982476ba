package dev.escapement.state.wire;

/**
 * Prefix codes of the differences between numbers and their predictions, by how large such differences were before. Each row is for a
 * mean, a fourth of an octave from the next one. In the last octave and above, codes are of the upper bits of differences; the lower bits
 * follow uncoded.
 *
 * <p>Prefix codes need about 1 % more bits than shares of a range would, but no division, and reading does not wait for a whole range to be
 * updated. Computed with single operations of IEEE 754, so that all platforms get the same.
 */
final class Residuals {

    /** Symbols are the upper bits of a difference, from -24 to 23, with this added; and one for all others. */
    private static final int MAX = 24;

    private static final int ESCAPE = 2 * MAX;

    /** Means are in units of 2^-8. */
    static final int MEAN_BITS = 8;

    /** The largest mean, so that three codes and the bits that follow them are at most 57 bits. */
    static final int MAX_MEAN = (1 << 12) - 1;

    private static final int MAX_CODE_BITS = 10;

    private static final int LENGTH_BITS = 4;
    private static final int ROW_BITS = 6;
    private static final int FOURTHS = 4;
    private static final int FIRST_OCTAVE = MEAN_BITS - 5;

    /** From a mean of 8 on, the lowest bits follow. */
    private static final int LAST_OCTAVE = MEAN_BITS + 3;

    private static final int ROWS = FOURTHS * (LAST_OCTAVE - FIRST_OCTAVE + 1);

    /** The parameter of the distribution is this share of the mean, because means contain a few large differences. */
    private static final double TYPICAL = 0.9;

    /** Per row and symbol: its code, and in the lowest bits how long that is. */
    private static final short[] CODES = new short[ROWS << ROW_BITS];

    /** Per row and the next bits that are read: the symbol that they begin with, and how long its code is. */
    private static final short[] SYMBOLS = new short[ROWS << MAX_CODE_BITS];

    static {
        for (int row = 0; row < ROWS; row++) {
            fill(row, lengths(weights(row)));
        }
    }

    private Residuals() {}

    /** How likely each symbol is: the two sides of a geometric distribution. */
    private static double[] weights(int row) {
        int octave = FIRST_OCTAVE + row / FOURTHS;
        double mean = (1 << octave) * (1 + (row % FOURTHS + 0.5) / FOURTHS) / (1 << MEAN_BITS);
        int width = octave == LAST_OCTAVE ? 2 : 1;
        double decay = TYPICAL * mean / (1 + TYPICAL * mean);
        double[] weights = new double[ESCAPE + 1];
        double weight = 0.5; // of each of the two sides; 0 is on both
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

    /** The length of each symbol's code: first the length with which all fit, then shorter where that gains most. */
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

    /** How much one bit less would gain, per code of the maximum length that this needs. */
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

    /** A mean's octave; the first one includes all smaller means. */
    static int octave(int mean) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(mean | 1 << FIRST_OCTAVE);
    }

    /** Returns the row for a mean. All means above the last octave use its rows. */
    static int row(int mean, int octave) {
        // The bits of the octave and of its fourth make 4 to 7.
        return FOURTHS * (Math.min(octave, LAST_OCTAVE) - FIRST_OCTAVE - 1) + ((mean >>> (octave - 2)) | FOURTHS);
    }

    /** How many bits below a symbol follow. */
    static int lowBits(int octave) {
        return Math.max(0, octave - LAST_OCTAVE + 1);
    }

    /** The code of a difference's upper bits: see {@link #value} and {@link #length}. */
    static int code(int row, int high) {
        return CODES[(row << ROW_BITS) + (isEscape(high) ? ESCAPE : high + MAX)];
    }

    /** What some bits begin with: upper bits of a difference, see {@link #value}, and how long their code is, see {@link #length}. */
    static int symbol(int row, long bits) {
        return SYMBOLS[(row << MAX_CODE_BITS) + (int) (bits >>> (Long.SIZE - MAX_CODE_BITS))];
    }

    /** Whether upper bits of a difference have no code of their own. */
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
