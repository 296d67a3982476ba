package dev.escapement.render.display;

import java.util.Arrays;

/**
 * Searches the calls of up to two seconds for the rhythm of a display.
 *
 * <p>A rhythm is a line {@code slot(k) = origin + k * period}, for whole k. Each call is less than half a period from one of the slots, and
 * its distance does not depend on the distance of the call before.
 *
 * <pre>
 * the first {@value #FIRST_CALLS} calls:    estimate the rate of the calls, and so the frequencies f that the display can have
 * each call at t:        sum(f) += exp(2 pi i f t)             the sums grow where calls keep the period 1 / f
 * each fourth call:      f = the frequency whose |sum(f)| is largest
 *                        period = 1 / f; origin = the phase of sum(f)
 *                        number the slot of each call; fit a line by least squares
 *                        accept the line if the deviations of the calls from it look like jitter
 * </pre>
 *
 * <p>The largest sum (the peak of the periodogram) is the maximum-likelihood estimate of the period of a pulse train with missing pulses
 * (Fogel and Gavish, Parameter estimation of quasi-periodic sequences, ICASSP 1988). The sums need no slot numbers, so missed slots do no
 * harm. A search that starts from the median interval would find no rhythm if a renderer misses a third of the slots.
 *
 * <p>Deviations look like jitter if
 * <ul>
 *   <li>chance does not explain a sum of that size (Rayleigh's test), and the variance of the deviations is small,
 *   <li>and successive deviations are independent: von Neumann's ratio is about 2. Where the display waits for the calls, as with a
 *       variable refresh rate, an early call makes the next call early, too, and the ratio falls towards 0.
 * </ul>
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class RhythmSearch {

    static final double MIN_HERTZ = 23.5;
    static final double MAX_HERTZ = 365;

    /** Calls with a smaller variance (60 us squared) are so even that frames show the moments of the calls. */
    static final double EVEN_VARIANCE = 60_000.0 * 60_000.0;

    /** After a longer gap between two calls, the search starts again. */
    static final double MAX_GAP_NANOS = 0.25e9;

    private static final double MIN_NANOS = 0.68e9;
    private static final double MAX_NANOS = 2e9;
    private static final int MIN_CALLS = 32;
    private static final int MAX_CALLS = 1024;

    private static final int FIRST_CALLS = 16;

    /** The lowest frequency to search, divided by the rate of the first calls. Below 1, because jitter may make that rate too high. */
    private static final double MIN_PART_OF_RATE = 0.95;

    /** The highest frequency to search, divided by the rate of the first calls. Above 2, because a renderer may miss half the slots. */
    private static final double MAX_PART_OF_RATE = 2.1;

    private static final int MAX_FREQUENCIES = 216;

    /** The step between searched frequencies: a third of 1 Hz, which is the resolution of calls over one second. */
    private static final double STEP_HERTZ = 1.0 / 3;

    /** A frequency's phase is computed from the phase this many frequencies lower, so that the processor can compute this many at once. */
    private static final int STRIDE = 4;

    private static final int CALLS_PER_TRY = 4;

    /** The smallest squared length of the mean phase vector of a rhythm. A length of 0.4 means a jitter of a third of a period. */
    private static final double MIN_CONCENTRATION = 0.4 * 0.4;

    /** The smallest power per call that passes Rayleigh's test. At a given frequency, noise reaches this once in e^16 times. */
    private static final double MIN_RAYLEIGH = 16;

    /** Multiples of the display's frequency have peaks, too, so the lowest peak with at least this part of the largest power is chosen. */
    private static final double FUNDAMENTAL = 0.8;

    /** The largest standard deviation of calls from slots, in periods, as of a uniform jitter of 0.36 periods in either direction. */
    private static final double MAX_DEVIATION = 0.21;

    /**
     * The stricter {@link #MAX_DEVIATION} for calls that missed more slots than {@link #MAX_MISSED}. If slot numbers may be skipped freely,
     * a straight line can be fitted to any calls.
     */
    private static final double MAX_DEVIATION_WITH_GAPS = 0.1;

    private static final double MAX_MISSED = 0.06;

    /** The smallest von Neumann ratio of a rhythm. The standard deviation of this ratio over n calls is 2 / sqrt(n). */
    private static final double MIN_RATIO = 1.5;

    private static final double RATIO_SIGMAS = 2.25;

    private final double[] calls = new double[MAX_CALLS]; // nanoseconds since the first call
    private final double[] cosines = new double[MAX_FREQUENCIES];
    private final double[] sines = new double[MAX_FREQUENCIES];
    private final double[] phaseCosines = new double[MAX_FREQUENCIES];
    private final double[] phaseSines = new double[MAX_FREQUENCIES];
    private long firstNanos;
    private int count;
    private int frequencies;
    private double lowestHertz;
    private double originNanos; // since the first call

    // Results: the period, the mean squares of the residuals (the calls' distances from their slots) and of their
    // successive differences, and the last residual.
    double periodNanos;
    double variance;
    double stepVariance;
    double lastResidualNanos;
    private double earliestNanos;
    private double latestNanos;

    /** Forgets all calls, and adds a first one at {@code nanos}. */
    void restart(long nanos) {
        firstNanos = nanos;
        calls[0] = 0;
        count = 1;
    }

    /**
     * Adds a call. Call {@link #restart} first.
     *
     * @param nanos the instant of the call, later than the last one
     * @return true if the calls so far follow a rhythm
     */
    boolean add(long nanos) {
        double sinceFirst = nanos - firstNanos;
        boolean isFull = sinceFirst > MAX_NANOS || count == MAX_CALLS;
        if (isFull || sinceFirst - calls[count - 1] > MAX_GAP_NANOS) {
            restart(nanos);
            return false;
        }
        calls[count++] = sinceFirst;
        if (count < FIRST_CALLS) {
            return false;
        }
        if (count == FIRST_CALLS) {
            chooseFrequencies(nanos, (count - 1) * 1e9 / sinceFirst);
            return false;
        }
        accumulate(sinceFirst);
        return count >= MIN_CALLS && sinceFirst >= MIN_NANOS && count % CALLS_PER_TRY == 0 && findLine();
    }

    private void chooseFrequencies(long nanos, double callsPerSecond) {
        lowestHertz = Math.max(MIN_HERTZ, MIN_PART_OF_RATE * callsPerSecond);
        double highestHertz = Math.min(MAX_HERTZ, MAX_PART_OF_RATE * callsPerSecond);
        if (!(lowestHertz < highestHertz)) {
            restart(nanos); // the calls are faster or slower than any display
            return;
        }
        frequencies = Math.min(MAX_FREQUENCIES, 1 + (int) Math.ceil((highestHertz - lowestHertz) / STEP_HERTZ));
        Arrays.fill(cosines, 0);
        Arrays.fill(sines, 0);
        for (int i = 0; i < count; i++) {
            accumulate(calls[i]);
        }
    }

    /**
     * Adds a call's phase to the sum of each frequency. From one frequency to the frequency {@value #STRIDE} steps higher, the phase grows
     * by a constant angle.
     */
    private void accumulate(double sinceFirst) {
        double radiansPerHertz = 2e-9 * Math.PI * sinceFirst;
        for (int j = 0; j < STRIDE; j++) {
            phaseCosines[j] = Math.cos(radiansPerHertz * (lowestHertz + STEP_HERTZ * j));
            phaseSines[j] = Math.sin(radiansPerHertz * (lowestHertz + STEP_HERTZ * j));
        }
        double cosine = Math.cos(radiansPerHertz * STEP_HERTZ * STRIDE);
        double sine = Math.sin(radiansPerHertz * STEP_HERTZ * STRIDE);
        for (int j = STRIDE; j < frequencies; j++) {
            phaseCosines[j] = phaseCosines[j - STRIDE] * cosine - phaseSines[j - STRIDE] * sine;
            phaseSines[j] = phaseCosines[j - STRIDE] * sine + phaseSines[j - STRIDE] * cosine;
        }
        for (int j = 0; j < frequencies; j++) {
            cosines[j] += phaseCosines[j];
            sines[j] += phaseSines[j];
        }
    }

    private boolean findLine() {
        double largest = 0;
        for (int j = 0; j < frequencies; j++) {
            largest = Math.max(largest, power(j));
        }
        if (largest < MIN_RAYLEIGH * count || largest < MIN_CONCENTRATION * count * count) {
            return false;
        }
        int peak = 0;
        while (power(peak) < FUNDAMENTAL * largest || (peak + 1 < frequencies && power(peak + 1) > power(peak))) {
            peak++;
        }
        periodNanos = 1e9 / (lowestHertz + STEP_HERTZ * peak);
        originNanos = Math.atan2(sines[peak], cosines[peak]) / (2 * Math.PI) * periodNanos;
        fitLine();
        return periodNanos >= 1e9 / MAX_HERTZ && periodNanos <= 1e9 / MIN_HERTZ && isRhythm();
    }

    private double power(int j) {
        return cosines[j] * cosines[j] + sines[j] * sines[j];
    }

    /** Corrects origin and period by a line fitted to the residuals. Fitted to the instants, which are large, it would be less exact. */
    private void fitLine() {
        double sumK = 0;
        double sumKk = 0;
        double sumR = 0;
        double sumKr = 0;
        for (int i = 0; i < count; i++) {
            double k = slotOf(i);
            double r = residual(i, k);
            sumK += k;
            sumKk += k * k;
            sumR += r;
            sumKr += k * r;
        }
        double periodError = (count * sumKr - sumK * sumR) / (count * sumKk - sumK * sumK);
        originNanos += (sumR - periodError * sumK) / count;
        periodNanos += periodError;
    }

    private double slotOf(int i) {
        return Math.rint((calls[i] - originNanos) / periodNanos);
    }

    private double residual(int i, double k) {
        return calls[i] - originNanos - k * periodNanos;
    }

    private boolean isRhythm() {
        double lastK = Double.NaN;
        double squares = 0;
        double stepSquares = 0;
        int steps = 0;
        earliestNanos = 0;
        latestNanos = 0;
        for (int i = 0; i < count; i++) {
            double k = slotOf(i);
            double r = residual(i, k);
            squares += r * r;
            if (k - lastK == 1) { // across a missed slot, a wrong period would look like independent residuals
                stepSquares += (r - lastResidualNanos) * (r - lastResidualNanos);
                steps++;
            }
            lastResidualNanos = r;
            earliestNanos = Math.min(earliestNanos, r);
            latestNanos = Math.max(latestNanos, r);
            lastK = k;
        }
        variance = squares / count;
        stepVariance = stepSquares / Math.max(1, steps);
        double maxDeviation = count - 1 - steps > MAX_MISSED * count + 1 ? MAX_DEVIATION_WITH_GAPS : MAX_DEVIATION;
        if (variance > maxDeviation * periodNanos * maxDeviation * periodNanos) {
            return false;
        }
        double minRatio = Math.min(MIN_RATIO, 2 - RATIO_SIGMAS * 2 / Math.sqrt(count));
        return variance < EVEN_VARIANCE || stepVariance >= minRatio * variance;
    }

    /** {@return the last call's slot, an instant of the clock of the calls} */
    long slotNanos() {
        return firstNanos + (long) Math.floor(slotSinceFirst());
    }

    /** {@return the fraction of a nanosecond that {@link #slotNanos()} leaves out} */
    double slotFractionNanos() {
        return slotSinceFirst() - Math.floor(slotSinceFirst());
    }

    private double slotSinceFirst() {
        return originNanos + slotOf(count - 1) * periodNanos;
    }

    /** {@return how many calls the line was fitted to} */
    int calls() {
        return count;
    }

    /**
     * {@return how long before its slot a call may come} This is a little more than the lead of the earliest call, because the next call
     * may be earlier. It is at most about half the spread of the calls, because all calls would look early to a fitted line that is too
     * late.
     */
    double leadNanos() {
        return Math.min(-earliestNanos, (latestNanos - earliestNanos) / 2) * (1 + 1.0 / count);
    }
}
