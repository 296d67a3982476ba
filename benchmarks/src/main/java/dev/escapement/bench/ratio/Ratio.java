package dev.escapement.bench.ratio;

/**
 * Two benchmarks that say something together.
 *
 * @param group       which table it belongs to
 * @param says        what is divided by what
 * @param numerator   a benchmark, see {@link Measurements}
 * @param denominator another
 * @param atLeast     the goal's lower end, negative infinity for none
 * @param atMost      the goal's upper end, infinity for none
 */
record Ratio(String group, String says, String numerator, String denominator, double atLeast, double atMost) {

    private static final double NONE = Double.POSITIVE_INFINITY;

    static Ratio of(String group, String says, String numerator, String denominator) {
        return new Ratio(group, says, numerator, denominator, -NONE, NONE);
    }

    Ratio atMost(double most) {
        return new Ratio(group, says, numerator, denominator, atLeast, most);
    }

    Ratio atLeast(double least) {
        return new Ratio(group, says, numerator, denominator, least, atMost);
    }

    /** The goal in words, empty if there is none. */
    String goal() {
        return atMost < NONE ? "at most " + number(atMost) : atLeast > -NONE ? "at least " + number(atLeast) : "";
    }

    /** "met" or "missed", empty if there is no goal; the measured ratio counts, not its interval. */
    String verdict(Estimate estimate) {
        return goal().isEmpty() ? "" : estimate.ratio() >= atLeast && estimate.ratio() <= atMost ? "met" : "missed";
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
