package dev.escapement.state.time;

import org.jspecify.annotations.Nullable;

/**
 * The speed of simulated time, as an exact fraction of real time. 1/10 is slow motion, 4 is fourfold speed; no scale means a pause.
 *
 * <p>A tick lasts its length divided by the scale: a tick of 10 ms takes 10 s at 1/1000.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param numerator   simulated seconds in {@code denominator} real ones, positive, without a common factor
 * @param denominator real seconds, positive
 * @see Timeline
 */
public record TimeScale(long numerator, long denominator) {

    /** The speed of real time. */
    public static final TimeScale ONE = new TimeScale(1, 1);

    private static final long MAX = 64;
    private static final long FINEST = 1_000_000;

    /**
     * Reduces the fraction.
     *
     * @param numerator   simulated seconds in {@code denominator} real ones
     * @param denominator real seconds
     * @throws IllegalArgumentException if a part is not positive, the scale is above 64, or the fraction finer than a millionth
     */
    public TimeScale {
        if (numerator <= 0 || denominator <= 0) {
            throw new IllegalArgumentException(
                    "a time scale must be positive, but is " + numerator + "/" + denominator + "; to stop time, pause");
        }
        long divisor = TickRate.gcd(numerator, denominator);
        numerator /= divisor;
        denominator /= divisor;
        if (denominator > FINEST || numerator > MAX * denominator) {
            throw new IllegalArgumentException("a time scale must be a fraction of at most " + MAX
                    + " with a denominator of at most " + FINEST + ", but is " + numerator + "/" + denominator);
        }
    }

    /**
     * {@return the scale that is nearest to a number}
     *
     * @param scale above 0, at most 64; rounded to the nearest millionth
     * @throws IllegalArgumentException if it is not a number, not positive or above 64
     */
    public static TimeScale of(double scale) {
        if (!(scale > 0 && scale <= MAX)) {
            throw new IllegalArgumentException(
                    "a time scale must be above 0 and at most " + MAX + ", but is " + scale + "; to stop time, pause");
        }
        return new TimeScale(Math.max(1, Math.round(scale * FINEST)), FINEST);
    }

    /** Compares the fractions. The JDK's own {@code equals} of a record would keep this class's loader as long as the JVM runs. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TimeScale scale && numerator == scale.numerator && denominator == scale.denominator;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(numerator) * 31 + Long.hashCode(denominator);
    }

    long simNanos(long realNanos) {
        if (numerator == denominator) {
            return realNanos;
        }
        long whole = Math.floorDiv(realNanos, denominator);
        long rest = Math.floorMod(realNanos, denominator);
        return whole * numerator + rest * numerator / denominator;
    }

    /** Converts a time of the clock at this scale to the time in which as much passes at another one: 0 only for 0. */
    long convert(long realNanos, TimeScale other) {
        double nanos = (double) realNanos * numerator * other.denominator / ((double) denominator * other.numerator);
        return realNanos == 0 ? 0 : Math.max(1, Math.round(nanos)); // the rest of a tick must not be empty
    }

    /**
     * {@return the rate times this scale: the ticks per second of the clock}
     *
     * @param rate ticks per second of simulated time
     * @throws IllegalArgumentException if the product is no {@link TickRate}
     */
    public TickRate times(TickRate rate) {
        if (numerator == denominator) {
            return rate;
        }
        try {
            long n1 = TickRate.gcd(numerator, rate.denominator());
            long n2 = TickRate.gcd(rate.numerator(), denominator);
            return new TickRate(
                    Math.multiplyExact(numerator / n1, rate.numerator() / n2),
                    Math.multiplyExact(denominator / n2, rate.denominator() / n1));
        } catch (IllegalArgumentException | ArithmeticException beyond) {
            throw new IllegalArgumentException(
                    "a scale of " + this + " cannot be used at " + rate + ": " + beyond.getMessage(), beyond);
        }
    }

    @Override
    public String toString() {
        return denominator == 1 ? String.valueOf(numerator) : numerator + "/" + denominator;
    }
}
