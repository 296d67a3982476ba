package dev.escapement.render.display;

import java.util.Arrays;

/**
 * Searches the calls of up to two seconds for the rhythm of a display: a line {@code slot = origin + k * period}, k whole, from which all
 * calls differ by less than a period, each independently of the one before.
 *
 * <p>The period is where the periodogram of the calls, {@code |sum of exp(2 pi i f t)|}, has its peak: the estimate of largest likelihood for
 * a pulse train of which pulses are missing (Fogel and Gavish, Parameter estimation of quasi-periodic sequences, ICASSP 1988). No slot has to
 * be numbered for it, so that missed slots do no harm. The sums run along: a call adds one phase to each frequency that is considered. Then
 * slots are numbered, missed ones left out, and a line is fitted. It is a rhythm if
 * <ul>
 *   <li>the peak is larger than chance makes it (Rayleigh's test), and the calls are near enough to their slots,
 *   <li>successive residuals are independent (von Neumann's ratio is about 2; where the display waits for the calls, as with a variable
 *       refresh rate, an early call makes the next one early, too, and the ratio falls towards 0),
 *   <li>and they do not bend: their part in the Legendre polynomials of degree 2 and 3 is that of noise.
 * </ul>
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class RhythmSearch {

    static final double MIN_HERTZ = 23.5;
    static final double MAX_HERTZ = 365;

    /** Calls with a smaller deviation from their slots are as even as they need to be: their own instants are shown. */
    static final double EVEN_NANOS = 60_000;

    /** After a longer gap, calls do not belong together. */
    static final double MAX_GAP_NANOS = 0.25e9;

    private static final double MIN_NANOS = 0.68e9;
    private static final double MAX_NANOS = 2e9;
    private static final int MIN_CALLS = 32;
    private static final int MAX_CALLS = 1024;

    /** So many calls tell which frequencies to consider. */
    private static final int FIRST_CALLS = 16;

    /** How much the rate of the first calls can be above that of the display. */
    private static final double MIN_PART_OF_RATE = 0.95;

    /** So few of the slots may have calls, where that many frequencies can be considered. */
    private static final double MAX_PART_OF_RATE = 2.1;

    private static final int CHAINS = 4;
    private static final int MAX_FREQUENCIES = 54 * CHAINS;

    /** A third of the resolution that a second has. */
    private static final double STEP_HERTZ = 1.0 / 3;

    private static final int CALLS_PER_TRY = 4;

    /** Of the mean phase vector, the squared length; 0.4 is a jitter of a third of a period. */
    private static final double MIN_CONCENTRATION = 0.4 * 0.4;

    /** Of Rayleigh's test: noise exceeds this at a frequency once in e^16 times. */
    private static final double MIN_RAYLEIGH = 16;

    /** A lower peak is the fundamental of a higher one if it has this part of its power. */
    private static final double FUNDAMENTAL = 0.8;

    /** The largest deviation in periods: that of a jitter of 0.36 periods. */
    private static final double MAX_DEVIATION = 0.21;

    /** The same where more slots were missed than {@link #MAX_MISSED}: many numbers of slots explain any calls. */
    private static final double MAX_DEVIATION_WITH_GAPS = 0.1;

    private static final double MAX_MISSED = 0.06;

    private static final double MIN_RATIO = 1.5;

    /** Of von Neumann's ratio, whose standard deviation is 2 / sqrt(n). */
    private static final double RATIO_SIGMAS = 2.25;

    private static final double MAX_RATIO = 2.9;

    /** Chi squared with two degrees of freedom: noise exceeds it once in 660 times. */
    private static final double MAX_BEND = 13;

    private final double[] calls = new double[MAX_CALLS]; // nanoseconds since the first
    private final double[] cosines = new double[MAX_FREQUENCIES];
    private final double[] sines = new double[MAX_FREQUENCIES];
    private long firstNanos;
    private int count;
    private int frequencies;
    private double lowestHertz;
    private double originNanos; // of the line, since the first call

    /** Of the line that was found. */
    private double periodNanos;

    private double variance;
    private double stepVariance;
    private double lastResidualNanos;
    private double earliestNanos;
    private double latestNanos;

    /** Starts with a call. */
    void restart(long nanos) {
        firstNanos = nanos;
        calls[0] = 0;
        count = 1;
    }

    /**
     * Adds a call. {@link #restart} comes first.
     *
     * @param nanos when it was, after the last one
     * @return whether the calls so far follow a rhythm
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
        return count >= MIN_CALLS && sinceFirst >= MIN_NANOS && count % CALLS_PER_TRY == 0 && find();
    }

    private void chooseFrequencies(long nanos, double callsPerSecond) {
        lowestHertz = Math.max(MIN_HERTZ, MIN_PART_OF_RATE * callsPerSecond);
        double highestHertz = Math.min(MAX_HERTZ, MAX_PART_OF_RATE * callsPerSecond);
        if (!(lowestHertz < highestHertz)) {
            restart(nanos); // faster than any display, or slower
            return;
        }
        int chains = 1 + (int) ((highestHertz - lowestHertz) / STEP_HERTZ / CHAINS);
        frequencies = Math.min(MAX_FREQUENCIES, chains * CHAINS);
        Arrays.fill(cosines, 0);
        Arrays.fill(sines, 0);
        for (int i = 0; i < count; i++) {
            accumulate(calls[i]);
        }
    }

    /** Turns a phase from each frequency to the next, in four chains that do not wait for each other. */
    private void accumulate(double sinceFirst) {
        double radiansPerHertz = 2e-9 * Math.PI * sinceFirst;
        double c0 = Math.cos(radiansPerHertz * lowestHertz);
        double s0 = Math.sin(radiansPerHertz * lowestHertz);
        double c = Math.cos(radiansPerHertz * STEP_HERTZ);
        double s = Math.sin(radiansPerHertz * STEP_HERTZ);
        double c2 = c * c - s * s;
        double s2 = 2 * c * s;
        double c4 = c2 * c2 - s2 * s2;
        double s4 = 2 * c2 * s2;
        double cosine0 = c0;
        double sine0 = s0;
        double cosine1 = c0 * c - s0 * s;
        double sine1 = c0 * s + s0 * c;
        double cosine2 = c0 * c2 - s0 * s2;
        double sine2 = c0 * s2 + s0 * c2;
        double cosine3 = cosine1 * c2 - sine1 * s2;
        double sine3 = cosine1 * s2 + sine1 * c2;
        for (int j = 0; j < frequencies; j += CHAINS) {
            cosines[j] += cosine0;
            sines[j] += sine0;
            cosines[j + 1] += cosine1;
            sines[j + 1] += sine1;
            cosines[j + 2] += cosine2;
            sines[j + 2] += sine2;
            cosines[j + 3] += cosine3;
            sines[j + 3] += sine3;
            double turned = cosine0 * c4 - sine0 * s4;
            sine0 = cosine0 * s4 + sine0 * c4;
            cosine0 = turned;
            turned = cosine1 * c4 - sine1 * s4;
            sine1 = cosine1 * s4 + sine1 * c4;
            cosine1 = turned;
            turned = cosine2 * c4 - sine2 * s4;
            sine2 = cosine2 * s4 + sine2 * c4;
            cosine2 = turned;
            turned = cosine3 * c4 - sine3 * s4;
            sine3 = cosine3 * s4 + sine3 * c4;
            cosine3 = turned;
        }
    }

    private boolean find() {
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

    /** Least squares over the numbers of the slots and the residuals, which stay small. */
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
        double longer = (count * sumKr - sumK * sumR) / (count * sumKk - sumK * sumK);
        originNanos += (sumR - longer * sumK) / count;
        periodNanos += longer;
    }

    private double slotOf(int i) {
        return Math.rint((calls[i] - originNanos) / periodNanos);
    }

    private double residual(int i, double k) {
        return calls[i] - originNanos - k * periodNanos;
    }

    private boolean isRhythm() {
        double half = calls[count - 1] / 2;
        double lastK = Double.NaN;
        double squares = 0;
        double stepSquares = 0;
        int steps = 0;
        double bend2 = 0;
        earliestNanos = 0;
        latestNanos = 0;
        double bend3 = 0;
        for (int i = 0; i < count; i++) {
            double k = slotOf(i);
            double r = residual(i, k);
            squares += r * r;
            if (k - lastK == 1) { // across a missed slot, residuals may be those of another period
                stepSquares += (r - lastResidualNanos) * (r - lastResidualNanos);
                steps++;
            }
            double x = calls[i] / half - 1;
            bend2 += r * (1.5 * x * x - 0.5);
            bend3 += r * (2.5 * x * x - 1.5) * x;
            lastResidualNanos = r;
            earliestNanos = Math.min(earliestNanos, r);
            latestNanos = Math.max(latestNanos, r);
            lastK = k;
        }
        variance = squares / count;
        stepVariance = stepSquares / Math.max(1, steps);
        double max = count - 1 - steps > MAX_MISSED * count + 1 ? MAX_DEVIATION_WITH_GAPS : MAX_DEVIATION;
        if (variance > max * periodNanos * max * periodNanos) {
            return false;
        }
        // Over evenly spaced calls the squares of the polynomials have means of 1/5 and 1/7.
        double bend = (5 * bend2 * bend2 + 7 * bend3 * bend3) / count;
        double least = Math.min(MIN_RATIO, 2 - RATIO_SIGMAS * 2 / Math.sqrt(count));
        boolean isIndependent = stepVariance >= least * variance && stepVariance <= MAX_RATIO * variance;
        return variance < EVEN_NANOS * EVEN_NANOS || (isIndependent && bend <= MAX_BEND * variance);
    }

    /** Gives the line that {@link #add} has found to the one that follows it. */
    void giveTo(DisplayRhythm rhythm) {
        double sinceFirst = originNanos + slotOf(count - 1) * periodNanos;
        long whole = (long) Math.floor(sinceFirst);
        rhythm.follow(firstNanos + whole, sinceFirst - whole, periodNanos, count);
        rhythm.spread(variance, stepVariance, lastResidualNanos);
        // Half the spread, if the line is too late; and of n calls, none is quite as early as a call can be.
        rhythm.lead(Math.min(-earliestNanos, (latestNanos - earliestNanos) / 2) * (1 + 1.0 / count));
    }
}
