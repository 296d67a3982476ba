package dev.escapement.state.time;

/**
 * Ticks per second as an exact fraction, so that 60 Hz and 60000/1001 Hz never drift.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param numerator   ticks in {@code denominator} seconds, positive, without a common factor
 * @param denominator seconds, positive
 * @see Timeline
 */
public record TickRate(long numerator, long denominator) {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The largest numerator and denominator. Their product is at most Long.MAX_VALUE, so the remainders in {@link #nanosAt} fit a long. */
    private static final long MAX_PART = Long.MAX_VALUE / NANOS_PER_SECOND;

    private static final long MAX_HERTZ = 100_000;
    private static final long MAX_SECONDS = 1000;

    /**
     * Reduces the fraction.
     *
     * @param numerator   ticks in {@code denominator} seconds
     * @param denominator seconds
     * @throws IllegalArgumentException if a part is not positive, the rate is above 100,000 Hz or below 1/1000 Hz, or the fraction is too
     *                                  fine to be computed exactly
     */
    public TickRate {
        if (numerator <= 0 || denominator <= 0) {
            throw new IllegalArgumentException(
                    "a rate must be positive, but is " + numerator + (denominator == 1 ? "" : "/" + denominator));
        }
        long divisor = gcd(numerator, denominator);
        numerator /= divisor;
        denominator /= divisor;
        if (numerator > MAX_PART || denominator > MAX_PART || numerator > Long.MAX_VALUE / denominator) {
            throw new IllegalArgumentException("a tick rate of " + numerator + "/" + denominator
                    + " Hz is too fine a fraction: each part must be at most " + MAX_PART
                    + ", and their product at most " + Long.MAX_VALUE);
        }
        if (numerator > MAX_HERTZ * denominator || denominator > MAX_SECONDS * numerator) {
            throw new IllegalArgumentException("a tick rate must be between 1/" + MAX_SECONDS + " and " + MAX_HERTZ
                    + " Hz, but is " + numerator + "/" + denominator + " Hz");
        }
    }

    /**
     * {@return the rate of a whole number of ticks per second}
     *
     * @param hertz ticks per second, 1 to 100,000
     */
    public static TickRate hertz(long hertz) {
        return new TickRate(hertz, 1);
    }

    /**
     * {@return the nanoseconds from tick 0 to {@code tick}, rounded down} Computed from the tick's number, never by adding periods, and
     * exact for any tick within 292 years.
     *
     * @param tick the number of a tick, perhaps negative
     */
    public long nanosAt(long tick) {
        long nanosPerCycle = denominator * NANOS_PER_SECOND;
        long product = tick * nanosPerCycle;
        if (Math.multiplyHigh(tick, nanosPerCycle) == product >> (Long.SIZE - 1)) {
            return Math.floorDiv(product, numerator); // the product fits a long: one division instead of the five below
        }
        long cycles = Math.floorDiv(tick, numerator);
        long rest = Math.floorMod(tick, numerator);
        long seconds = rest * denominator;
        return cycles * nanosPerCycle
                + seconds / numerator * NANOS_PER_SECOND
                + seconds % numerator * NANOS_PER_SECOND / numerator;
    }

    /**
     * {@return the last tick at or before a time: the largest one whose {@link #nanosAt} is at most {@code nanos}}
     *
     * @param nanos time since tick 0
     */
    public long tickAt(long nanos) {
        long nanosPerCycle = denominator * NANOS_PER_SECOND;
        long cycles = Math.floorDiv(nanos, nanosPerCycle);
        long rest = Math.floorMod(nanos, nanosPerCycle);
        long tick = cycles * numerator + rest / denominator * numerator / NANOS_PER_SECOND;
        // Rounding down twice may give too small a tick, never too large a one. Compared by difference, because
        // the next tick's time may wrap.
        while (nanosAt(tick + 1) - nanos <= 0) {
            tick++;
        }
        return tick;
    }

    /** {@return the time step of a simulation: the double nearest to denominator / numerator seconds} */
    public double dtSeconds() {
        return (double) denominator / numerator;
    }

    /** {@return ticks per second} */
    public double inHertz() {
        return (double) numerator / denominator;
    }

    @Override
    public String toString() {
        return (denominator == 1 ? String.valueOf(numerator) : numerator + "/" + denominator) + " Hz";
    }

    static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
