package dev.escapement.physics.loop;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;

/**
 * The speeds to which time may slow down, as exact fractions, numbered from the requested one down: 1, 0.995, 0.995^2, ... of it.
 *
 * <p>The series is fixed, so that noise rarely changes the speed. Physics thread only. Allocates when a speed is first needed after a
 * request.
 */
final class Speeds {

    private static final double STEP = 0.995;
    private static final long FINEST_PARTS = 1_000_000;
    private static final long COARSEST_PARTS = 1000;

    private final TickRate rate;

    /** The length of a tick at each speed, in periods: 1, 1 / 0.995, 1 / 0.995^2, ... */
    private final double[] lengths;

    /** An entry is null until its speed is needed for the first time after a request. */
    private final TimeScale[] scales;

    private final TickRate[] paces;
    private TimeScale requested = TimeScale.ONE;
    private long periodNanos;

    /** Creates the speeds down to a least one, a share of the requested speed. */
    Speeds(TickRate rate, TimeScale least) {
        this.rate = rate;
        double share = (double) least.numerator() / least.denominator();
        lengths = new double[1 + (int) Math.floor(Math.log(share) / Math.log(STEP) + 1e-9)];
        Arrays.setAll(lengths, i -> Math.pow(STEP, -i));
        scales = new TimeScale[lengths.length];
        paces = new TickRate[lengths.length];
        request(TimeScale.ONE);
    }

    void request(TimeScale scale) {
        requested = scale;
        Arrays.fill(scales, null);
        scales[0] = scale;
        paces[0] = scale.times(rate);
        periodNanos = Math.max(1, paces[0].nanosAt(1));
    }

    int slowest() {
        return lengths.length - 1;
    }

    /** Returns the fastest speed at which a tick lasts that long or longer; the slowest speed if no tick does. */
    int fastest(double lengthNanos) {
        int found = Arrays.binarySearch(lengths, lengthNanos / periodNanos);
        return Math.min(found < 0 ? -found - 1 : found, slowest());
    }

    long periodNanos() {
        return periodNanos;
    }

    double lengthNanos(int speed) {
        return periodNanos * lengths[speed];
    }

    TimeScale scale(int speed) {
        compute(speed);
        return scales[speed];
    }

    /** Ticks in a second of the clock at a speed. */
    TickRate pace(int speed) {
        compute(speed);
        return paces[speed];
    }

    double share(int speed) {
        TimeScale scale = scale(speed);
        return (double) (scale.numerator() * requested.denominator()) / (scale.denominator() * requested.numerator());
    }

    /** Computes a speed when it is first needed. If no timeline can represent that speed, the next faster one takes its place. */
    private void compute(int speed) {
        for (long parts = FINEST_PARTS; scales[speed] == null && parts >= COARSEST_PARTS; parts /= 10) {
            try {
                TimeScale scale = scaleOf(parts, lengths[speed]);
                paces[speed] = scale.times(rate);
                scales[speed] = scale;
            } catch (IllegalArgumentException beyond) {
                // a coarser fraction may be possible
            }
        }
        if (scales[speed] == null) {
            compute(speed - 1);
            scales[speed] = scales[speed - 1];
            paces[speed] = paces[speed - 1];
        }
    }

    /**
     * Returns the requested scale divided by {@code length}, so that a tick lasts {@code length} periods: rounded to millionths, or as a
     * coarser fraction with {@code parts} in the numerator. {@code parts} is a power of ten, which cancels with the decimals of a rate and
     * so keeps the numbers in range.
     */
    private TimeScale scaleOf(long parts, double length) {
        return parts == FINEST_PARTS
                ? TimeScale.of((double) requested.numerator() / requested.denominator() / length)
                : new TimeScale(requested.numerator() * parts, requested.denominator() * Math.round(parts * length));
    }
}
