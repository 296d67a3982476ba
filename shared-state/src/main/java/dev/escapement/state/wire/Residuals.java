package dev.escapement.state.wire;

/**
 * How likely the differences between numbers and their predictions are, by how large such differences were before: the two sides of a
 * geometric distribution. Each row is for a mean, a fourth of an octave from the next one. In the last octave and above, differences are
 * told apart by their upper bits; what is below is taken as equally likely.
 *
 * <p>Computed with single operations of IEEE 754, so that all platforms get the same.
 */
final class Residuals {

    /** The sum of a row's frequencies is 2 to the power of this. */
    static final int TOTAL_BITS = 15;

    /** Symbols are the upper bits of a difference, from -24 to 23, with this added; and one for all others. */
    static final int MOST = 24;

    static final int ESCAPE = 2 * MOST;

    /** Means are in units of 2^-8. */
    static final int MEAN_BITS = 8;

    private static final int ROW_BITS = 6;
    private static final int FOURTHS = 4;
    private static final int FIRST_OCTAVE = MEAN_BITS - 5;

    /** From a mean of 8 on, the lowest bits are equally likely. */
    private static final int LAST_OCTAVE = MEAN_BITS + 3;

    private static final int ROWS = FOURTHS * (LAST_OCTAVE - FIRST_OCTAVE + 1);
    private static final int SEARCH_BITS = 9;

    /** How much of a row is shared out evenly, because no difference is impossible. */
    private static final double EVEN = 0.01;

    /** The parameter of the distribution is so much of the mean, because means contain a few large differences. */
    private static final double TYPICAL = 0.9;

    /** Per row and symbol: the sum of the frequencies before it, and its own. */
    private static final int[] SHARES = new int[ROWS << ROW_BITS];

    private static final int FREQUENCY_BITS = 16;
    private static final byte[] FIRST = new byte[ROWS << SEARCH_BITS];

    static {
        for (int row = 0; row < ROWS; row++) {
            fill(row);
        }
    }

    private Residuals() {}

    private static void fill(int row) {
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
        double until = 0;
        for (int symbol = 0; symbol <= ESCAPE; symbol++) {
            int from = (int) (until * (1 << TOTAL_BITS));
            until += weights[symbol] / sum * (1 - EVEN) + EVEN / (ESCAPE + 1);
            int end = symbol == ESCAPE ? 1 << TOTAL_BITS : (int) (until * (1 << TOTAL_BITS));
            SHARES[(row << ROW_BITS) + symbol] = from << FREQUENCY_BITS | (end - from);
        }
        int symbol = 0;
        for (int i = 0; i < 1 << SEARCH_BITS; i++) {
            symbol = after(row, symbol, i << (TOTAL_BITS - SEARCH_BITS));
            FIRST[(row << SEARCH_BITS) + i] = (byte) symbol;
        }
    }

    private static int symbolOf(int difference, int width) {
        int high = Math.floorDiv(difference, width);
        return high < -MOST || high >= MOST ? ESCAPE : high + MOST;
    }

    /** The row for a mean, and above: the last octave is repeated for larger ones. */
    static int scale(int mean) {
        int some = Math.max(mean, 1 << FIRST_OCTAVE);
        int octave = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(some);
        return FOURTHS * (octave - FIRST_OCTAVE) + (some >>> (octave - 2) & (FOURTHS - 1));
    }

    /** How many bits below a symbol are equally likely. */
    static int lowBits(int scale) {
        return Math.max(0, scale / FOURTHS - (LAST_OCTAVE - FIRST_OCTAVE - 1));
    }

    static int row(int scale) {
        return scale < ROWS ? scale : ROWS - FOURTHS + scale % FOURTHS;
    }

    /** What a symbol has of a row: see {@link #from} and {@link #frequency}. */
    static int share(int row, int symbol) {
        return SHARES[(row << ROW_BITS) + symbol];
    }

    /** The sum of the frequencies before a symbol. */
    static int from(int share) {
        return share >>> FREQUENCY_BITS;
    }

    static int frequency(int share) {
        return share & ((1 << FREQUENCY_BITS) - 1);
    }

    /** The symbol at a place in the sum of all frequencies. */
    static int symbolAt(int row, int place) {
        return after(row, FIRST[(row << SEARCH_BITS) + (place >>> (TOTAL_BITS - SEARCH_BITS))], place);
    }

    private static int after(int row, int first, int place) {
        int symbol = first;
        while (symbol < ESCAPE && from(share(row, symbol + 1)) <= place) {
            symbol++;
        }
        return symbol;
    }
}
