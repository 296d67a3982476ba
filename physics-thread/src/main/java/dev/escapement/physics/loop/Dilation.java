package dev.escapement.physics.loop;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;

/**
 * Computes how far time slows down, so that it runs evenly while steps take longer than a tick.
 *
 * <pre>
 *   P       ns of the clock: the length of a tick at the requested speed
 *   work    ns that the thread worked from one publish to the next
 *   cost    ns: work less the waits for a core
 *   factor  the length of a tick divided by P: 1, 1 / 0.995, 1 / 0.995^2, ... 1 / least
 *
 *   after each tick, 0 in the first 20:
 *     recent = median of 3 costs, if time is not slowed and it is at most 2 P; else median of 5 costs
 *     recent = max(recent, min(newest cost, trend)), if each of 4 costs exceeds the one before
 *     base   = recent, if it exceeds all but 3 of the last 31 works; else the least of the last 4 costs
 *     mean   = mean of 31 works without the 3 longest and the 3 shortest + a quarter of their spread
 *     need   = max(base, min(mean, longest of the last 8 works))      once 31 ticks have run; before, recent
 *     length = 1.005 need + 0.002 P
 *     length = length + lateness / 8, if length &gt; 0.97 P and the tick is late by more than 0.03 P
 *     wanted = the least factor that is at least length / P
 *     if wanted is larger:  factor = wanted, at once
 *     else, if by 2 %:      factor falls by 1 %, then 2 %, 4 %, ... a change, at most 3.5 % in 10 ms and 10 % a change
 * </pre>
 *
 * <p>The reasons:
 * <ul>
 *   <li>A median ignores a single slow tick. Three costs slow time down soon. A median of three above two ticks is rather a pair of
 *       spikes, so five decide. Costs that rise in a row are a trend and no noise.
 *   <li>The mean counts waits for a core: with costs alone, the speed would vary as often as other programs take the core. The longest of
 *       the last works bounds it, so that the end of a load shows soon; in deep slow motion of fewer than eight.
 *   <li>Time slows down at once, because no reader has seen time after the tick that has just run. It gets faster only as fast as frames
 *       can show without a jump.
 *   <li>The series of factors is fixed, so that noise rarely changes the speed, and changes allocate nothing.
 * </ul>
 *
 * <p>Physics thread only. Allocates only when time slows down first, and when a speed is first needed after another request.
 */
final class Dilation {

    private static final double STEP = 0.995;

    /** The first rise after a fall, in steps: 1 %. Each further rise doubles it, so that costs that alternate do not show. */
    private static final int LEAST_RISE = 2;

    /** Upper bound on rises, in steps a nanosecond of the clock: 3.5 % in 10 ms. */
    private static final double RISE_A_NANO = 7 / 10e6;

    /** Upper bound on one rise, in steps: 10 %; a larger one would show as a jump. */
    private static final int MAX_RISE = 20;

    /** The least rise, in steps, unless it reaches the full speed. */
    private static final int WORTHWHILE_RISE = 4;

    /**
     * The least time between two changes of speed, so that they fill the pieces of a timeline in no less than a tenth of a second at any
     * rate. Skips add pieces of their own, one for each late tick.
     */
    private static final long CHANGES_APART_NANOS = 8_000_000;

    /** A tick lasts longer than its cost, so that physics catches up after a late tick. */
    private static final double MARGIN = 1.005;

    private static final double MARGIN_OF_PERIOD = 0.002;

    /** Ticks that work for a smaller share of their period never slow time down. */
    private static final double BUSY = 0.97;

    private static final long FINEST_PARTS = 1_000_000;
    private static final long COARSEST_PARTS = 1000;
    private static final double SMALL_SHARE = 0.03;
    private static final int LATE_DIVISOR = 8;

    /** The first ticks never slow time down: they load classes, and the way back to full speed is long. */
    private static final int TICKS_OF_START = 20;

    private static final int TICKS_OF_MEDIAN = 5;
    private static final int TICKS_OF_MEAN = 31;
    private static final int TICKS_TRIMMED = 3;
    private static final int TICKS_LIGHT = 8;
    private static final int LEAST_TICKS_LIGHT = 2;

    /** One more than are trimmed: after as many ticks of a new load, even the least of them belongs to it. */
    private static final int TICKS_HEAVY = TICKS_TRIMMED + 1;

    private static final int SPREAD_DIVISOR = 4;

    private final TickRate rate;
    private final int windowSize;
    private final double least;

    // Three arrays with one entry for each speed, from the requested one down: see the class comment for the factor.
    private final double[] factors;

    /** Null until a speed is needed after the last request. */
    private final TimeScale[] scales;

    private final TickRate[] paces;
    private final Recent costs = new Recent(TICKS_OF_MEDIAN);
    private final Recent works = new Recent(TICKS_OF_MEAN);
    private TimeScale requestedScale = TimeScale.ONE;

    /** True once all speeds were computed, together, so that the next ticks allocate nothing. */
    private boolean wasSlowed;

    private long periodNanos;
    private int step;

    /** Upper bound on the next rise, in steps. */
    private int rise = LEAST_RISE;

    private long ticksSinceChange;
    private long costNanos;

    /**
     * Creates a dilation of time that runs at full speed.
     *
     * @param rate       the rate of the ticks
     * @param least      the slowest share, at most 1
     * @param windowSize the number of snapshots in a window, at least 2
     */
    Dilation(TickRate rate, TimeScale least, int windowSize) {
        this.rate = rate;
        this.windowSize = windowSize;
        this.least = (double) least.numerator() / least.denominator();
        int speeds = 1 + (int) Math.floor(Math.log(this.least) / Math.log(STEP) + 1e-9);
        factors = new double[speeds];
        for (int i = 0; i < speeds; i++) {
            factors[i] = i == 0 ? 1 : factors[i - 1] / STEP;
        }
        scales = new TimeScale[speeds];
        paces = new TickRate[speeds];
        scales[0] = requestedScale;
        request(TimeScale.ONE);
    }

    /**
     * Requests another speed of time. Time slows down at once as far as the last ticks need. If it was slowed down before, it gets faster
     * by one step at most, or to the least share of the new speed, and rises from there.
     */
    void request(TimeScale scale) {
        double slowedNanos = isSlowed() ? periodNanos / share() * STEP : 0;
        requestedScale = scale;
        Arrays.fill(scales, null);
        scales[0] = scale;
        paces[0] = scale.times(rate);
        periodNanos = Math.max(1, paces[0].nanosAt(1));
        step = isStarting() ? 0 : stepOf(Math.max(neededNanos(), slowedNanos));
        ticksSinceChange = 0;
        compute(step);
    }

    /**
     * Adds a tick.
     *
     * @param workNanos   the work of the thread since it published the tick before
     * @param waitedNanos the part of it in which the thread had no core
     * @param lateNanos   from the due time of the next tick, at the present speed, to the publish; negative if that came first
     * @return whether the speed has changed
     */
    boolean ticked(long workNanos, long waitedNanos, long lateNanos) {
        works.add(workNanos);
        costs.add(workNanos - waitedNanos);
        costNanos = estimate();
        if (works.areKnown()) {
            boolean isNew = costNanos > works.usualMost(TICKS_TRIMMED);
            long latest = isNew ? costNanos : costs.smallest(TICKS_HEAVY);
            int light = Math.max(LEAST_TICKS_LIGHT, Math.min(TICKS_LIGHT, (int) (2 * TICKS_LIGHT / factors[step])));
            costNanos = Math.max(latest, Math.min(works.ampleMean(TICKS_TRIMMED), works.largest(light)));
        }
        double needed = neededNanos();
        if (needed > BUSY * periodNanos && lateNanos > SMALL_SHARE * periodNanos) {
            needed += (double) lateNanos / LATE_DIVISOR;
        }
        TimeScale before = scale();
        ticksSinceChange++;
        move(stepOf(needed));
        if (step > 0 && !wasSlowed) {
            wasSlowed = true;
            for (int i = 1; i < factors.length; i++) {
                compute(i);
            }
        }
        compute(step);
        if (scale().equals(before)) {
            return false;
        }
        ticksSinceChange = 0;
        return true;
    }

    private boolean isStarting() {
        return costs.added() < TICKS_OF_START;
    }

    /** Returns {@code recent} of the class comment. */
    private long estimate() {
        if (isStarting()) {
            return 0;
        }
        long newest = costs.ago(0);
        long second = costs.ago(1);
        long third = costs.ago(2);
        long fourth = costs.ago(3);
        long ofThree = Math.max(Math.min(newest, second), Math.min(Math.max(newest, second), third));
        long median = step == 0 && ofThree <= 2 * periodNanos ? ofThree : costs.median();
        boolean rises = fourth < third && third < second && second < newest;
        return rises ? Math.max(median, Math.min(newest, third + 2 * (third - fourth))) : median;
    }

    private double neededNanos() {
        return costNanos * MARGIN + periodNanos * MARGIN_OF_PERIOD;
    }

    /** Returns the index of the fastest speed at which a tick lasts that long; the slowest one if none does. */
    private int stepOf(double neededNanos) {
        int found = Arrays.binarySearch(factors, neededNanos / periodNanos);
        return Math.min(found < 0 ? -found - 1 : found, factors.length - 1);
    }

    private void move(int wanted) {
        if (ticksSinceChange * periodNanos * factors[step] < CHANGES_APART_NANOS) {
            return;
        }
        if (wanted > step) {
            step = wanted;
            rise = LEAST_RISE;
        } else if (wanted == 0 || wanted <= step - WORTHWHILE_RISE) {
            double apartNanos = Math.max(CHANGES_APART_NANOS, periodNanos * factors[step]);
            step = Math.max(wanted, step - Math.min(rise, Math.min(MAX_RISE, (int) (RISE_A_NANO * apartNanos))));
            rise = Math.min(MAX_RISE, 2 * rise);
        }
    }

    /** Computes a speed when it is first needed. The next faster one replaces a speed that no timeline can have. */
    private void compute(int index) {
        for (long parts = FINEST_PARTS; scales[index] == null && parts >= COARSEST_PARTS; parts /= 10) {
            try {
                TimeScale scale = scaleOf(parts, factors[index]);
                paces[index] = scale.times(rate);
                scales[index] = scale;
            } catch (IllegalArgumentException beyond) {
                // fewer parts may do
            }
        }
        if (scales[index] == null) {
            compute(index - 1);
            scales[index] = scales[index - 1];
            paces[index] = paces[index - 1];
        }
    }

    /**
     * Returns a scale in millionths; else one with {@code parts}, a power of ten, in the numerator: it cancels with the decimals of a rate.
     */
    private TimeScale scaleOf(long parts, double factor) {
        return parts == FINEST_PARTS
                ? TimeScale.of((double) requestedScale.numerator() / requestedScale.denominator() / factor)
                : new TimeScale(
                        requestedScale.numerator() * parts, requestedScale.denominator() * Math.round(parts * factor));
    }

    /** The speed of time: the requested scale, slowed down. */
    TimeScale scale() {
        return scales[step];
    }

    /** Ticks in a second of the clock at that speed. */
    TickRate pace() {
        return paces[step];
    }

    boolean isSlowed() {
        return !scales[step].equals(requestedScale);
    }

    /** The share of the requested speed; 1 if time is not slowed down. */
    double share() {
        TimeScale now = scales[step];
        return (double) (now.numerator() * requestedScale.denominator())
                / (now.denominator() * requestedScale.numerator());
    }

    /** {@code need} of the class comment. */
    long costNanos() {
        return costNanos;
    }

    /** {@code P} of the class comment. */
    long periodNanos() {
        return periodNanos;
    }

    /** Whether a tick worked for so long that the waits of its thread for a core matter. */
    boolean isBusy(long workNanos) {
        return isSlowed() || workNanos > BUSY * periodNanos;
    }

    /** Returns the lateness of the next tick that windows hide; 0 in the first ticks, before there is a window. */
    long hiddenNanos() {
        if (isStarting() || costs.added() < windowSize) {
            return 0;
        }
        return windowSize == 2 ? periodNanos / 2 : (windowSize - 2) * periodNanos;
    }

    /** The newest values of a series: a ring in their order, and a sorted copy of the last {@code size}. */
    private static final class Recent {

        private static final int MASK = 31;

        private final long[] values = new long[MASK + 1];
        private final long[] sorted;
        private long added;

        Recent(int size) {
            sorted = new long[size];
        }

        void add(long value) {
            int at = 0;
            for (long oldest = ago(sorted.length - 1); sorted[at] != oldest; ) {
                at++;
            }
            for (; at + 1 < sorted.length && sorted[at + 1] < value; at++) {
                sorted[at] = sorted[at + 1];
            }
            for (; at > 0 && sorted[at - 1] > value; at--) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = value;
            values[(int) added++ & MASK] = value;
        }

        long added() {
            return added;
        }

        boolean areKnown() {
            return added >= sorted.length;
        }

        /** Returns the sample {@code age} positions before the newest. */
        long ago(int age) {
            return values[(int) (added - 1 - age) & MASK];
        }

        long median() {
            return sorted[sorted.length / 2];
        }

        /** Returns the smallest of the last {@code count} values. */
        long smallest(int count) {
            long smallest = ago(0);
            for (int i = 1; i < count; i++) {
                smallest = Math.min(smallest, ago(i));
            }
            return smallest;
        }

        /** Returns the largest of the last {@code count} values. */
        long largest(int count) {
            long largest = ago(0);
            for (int i = 1; i < count; i++) {
                largest = Math.max(largest, ago(i));
            }
            return largest;
        }

        /** Returns the largest value that remains without the {@code largerOnes} largest. */
        long usualMost(int largerOnes) {
            return sorted[sorted.length - 1 - largerOnes];
        }

        /**
         * Returns the mean without the {@code trimmed} largest and smallest values, plus a part of their spread, so that few sums of
         * consecutive values are larger.
         */
        long ampleMean(int trimmed) {
            long sum = 0;
            for (int i = trimmed; i < sorted.length - trimmed; i++) {
                sum += sorted[i];
            }
            long spread = usualMost(trimmed) - sorted[trimmed];
            return sum / (sorted.length - 2 * trimmed) + spread / SPREAD_DIVISOR;
        }
    }
}
