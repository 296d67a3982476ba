package dev.escapement.physics.loop;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;

/**
 * Time dilation: the share of the speed that was asked for at which time can run evenly while steps take longer than a tick.
 *
 * <p>The cost of a tick is the work of its thread between two snapshots, without the time in which it had no core. Its estimate is a
 * median, which a single slow tick does not change: of three ticks while time is not slowed down, so that it soon is, of five then, and
 * where the median of three is longer than two ticks, which is rather a pair of spikes. Costs that rise one after the other are a trend,
 * and not noise: the newest counts as far as the two oldest foretell it.
 *
 * <p>Where the thread has no core again and again, or its cost varies much, that estimate would do so, too. So ticks last at least as long as
 * the work took on average in the last 31 ticks, with the waits for a core, but without the longest and the shortest ones, and a quarter of
 * its spread; and not longer than the longest of the last eight ticks, of fewer in deep slow motion, so that the end of a load is seen soon.
 * The median counts only if it is larger than nearly all of these ticks, which is a new load; else the least of the last four does.
 *
 * <p>The speed falls at once, because no reader has seen time beyond the tick that has just run. It rises by 1 % at first, and by twice as
 * much with each further tick, up to 3.5 % in 10 ms and 10 % a tick, as fast as frames can show without a jump. It is one of a fixed series, each half a percent slower
 * than the one before, so that noise rarely changes it, and changes allocate nothing. What a tick is late becomes a part of the next ones'
 * length, an eighth each.
 *
 * <p>Physics thread only. Allocates nothing, except when time is slowed down first, and the first time that a speed is needed after another
 * one was asked for.
 */
final class Dilation {

    private static final double STEP = 0.995;

    /** How many steps the speed rises at once after it fell: 1 %, and then twice as many, so that costs that alternate do not show. */
    private static final int LEAST_RISE = 2;

    /** How many it rises at most in 10 ms of the clock: 3.5 %. */
    private static final double RISE_A_NANO = 7 / 10e6;

    /** 10 %: a larger rise would show as a jump. */
    private static final int MAX_RISE = 20;

    /** The speed rises only if it can by as many steps, or to the full speed. */
    private static final int WORTHWHILE_RISE = 4;

    /**
     * Changes of speed are this far apart, or a tick, so that they alone fill a timeline in a tenth of a second at least, however high the
     * rate is. Skips add pieces of their own, each late tick one.
     */
    private static final long CHANGES_APART_NANOS = 8_000_000;

    /** A tick lasts longer than its cost by this share, so that what is late once is caught up with. */
    private static final double MARGIN = 1.005;

    private static final double MARGIN_OF_PERIOD = 0.002;

    /** Steps that take less than this share of a tick never slow time down. */
    private static final double BUSY = 0.97;

    private static final long FINEST_PARTS = 1_000_000;
    private static final long COARSEST_PARTS = 1000;
    private static final double SMALL_SHARE = 0.03;
    private static final int LATE_DIVISOR = 8;

    /** Time is not slowed down before, because the first ticks of a program load classes, and the way back is long. */
    private static final int TICKS_OF_START = 20;

    private static final int TICKS_OF_MEDIAN = 5;
    private static final int TICKS_OF_MEAN = 31;
    private static final int TICKS_TRIMMED = 3;
    private static final int TICKS_LIGHT = 8;
    private static final int LEAST_TICKS_LIGHT = 2;

    /** One more than are trimmed: the first ticks of a load are new, the next ones stay so. */
    private static final int TICKS_HEAVY = TICKS_TRIMMED + 1;

    private static final int SPREAD_DIVISOR = 4;

    private final TickRate rate;
    private final int windowSize;
    private final double least;

    /** How much longer a tick lasts at each speed. */
    private final double[] factors;

    /** Null where a speed was not needed since another one was asked for, and before time is slowed down first. */
    private final TimeScale[] scales;

    private final TickRate[] paces;
    private final Recent costs = new Recent(TICKS_OF_MEDIAN);
    private final Recent works = new Recent(TICKS_OF_MEAN);
    private TimeScale asked = TimeScale.ONE;

    /** Whether all speeds were computed: at once, so that the ticks after that allocate nothing. */
    private boolean wasSlowed;

    private long askedPeriodNanos;
    private int step;

    /** How many steps the speed rises at most when it rises next. */
    private int rise = LEAST_RISE;

    private long ticksSinceChange;
    private long costNanos;

    /**
     * Creates a dilation of time that runs at full speed.
     *
     * @param rate       the rate of the ticks
     * @param least      the slowest share, at most 1
     * @param windowSize how many snapshots readers see, at least 2
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
        scales[0] = asked;
        ask(TimeScale.ONE);
    }

    /**
     * Asks for another speed of time. It is slowed down at once as far as the last ticks say; where it was slowed down before, it gets
     * faster by a step at most, or to the least share of what is asked, and rises from there.
     */
    void ask(TimeScale scale) {
        double slowedNanos = isSlowed() ? askedPeriodNanos / share() * STEP : 0;
        asked = scale;
        Arrays.fill(scales, null);
        scales[0] = scale;
        paces[0] = scale.times(rate);
        askedPeriodNanos = Math.max(1, paces[0].nanosAt(1));
        step = isStarting() ? 0 : stepOf(Math.max(neededNanos(), slowedNanos));
        ticksSinceChange = 0;
        compute(step);
    }

    /**
     * Adds a tick.
     *
     * @param workNanos   how long the thread has worked since the snapshot before
     * @param waitedNanos how much of that it had no core
     * @param lateNanos   how long after the next tick is due now the snapshot was published, negative if before
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
        if (needed > BUSY * askedPeriodNanos && lateNanos > SMALL_SHARE * askedPeriodNanos) {
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

    /** What the newest ticks say; 0 at the start. */
    private long estimate() {
        if (isStarting()) {
            return 0;
        }
        long newest = costs.ago(0);
        long second = costs.ago(1);
        long third = costs.ago(2);
        long fourth = costs.ago(3);
        long ofThree = Math.max(Math.min(newest, second), Math.min(Math.max(newest, second), third));
        long median = step == 0 && ofThree <= 2 * askedPeriodNanos ? ofThree : costs.median();
        boolean rises = fourth < third && third < second && second < newest;
        return rises ? Math.max(median, Math.min(newest, third + 2 * (third - fourth))) : median;
    }

    private double neededNanos() {
        return costNanos * MARGIN + askedPeriodNanos * MARGIN_OF_PERIOD;
    }

    /** The fastest speed at which a tick lasts that long, within the slowest. */
    private int stepOf(double neededNanos) {
        int found = Arrays.binarySearch(factors, neededNanos / askedPeriodNanos);
        return Math.min(found < 0 ? -found - 1 : found, factors.length - 1);
    }

    private void move(int wanted) {
        if (ticksSinceChange * askedPeriodNanos * factors[step] < CHANGES_APART_NANOS) {
            return;
        }
        if (wanted > step) {
            step = wanted;
            rise = LEAST_RISE;
        } else if (wanted == 0 || wanted <= step - WORTHWHILE_RISE) {
            double apartNanos = Math.max(CHANGES_APART_NANOS, askedPeriodNanos * factors[step]);
            step = Math.max(wanted, step - Math.min(rise, Math.min(MAX_RISE, (int) (RISE_A_NANO * apartNanos))));
            rise = Math.min(MAX_RISE, 2 * rise);
        }
    }

    /** Computes a speed that was not needed before. One that no timeline can have is replaced by the next faster one. */
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

    /** In millionths, or else a number of parts, a power of ten, in the numerator: it cancels with the decimals of a rate. */
    private TimeScale scaleOf(long parts, double factor) {
        return parts == FINEST_PARTS
                ? TimeScale.of((double) asked.numerator() / asked.denominator() / factor)
                : new TimeScale(asked.numerator() * parts, asked.denominator() * Math.round(parts * factor));
    }

    /** The speed of time: what was asked for, slowed down. */
    TimeScale scale() {
        return scales[step];
    }

    /** Ticks in a second of the clock at that speed. */
    TickRate pace() {
        return paces[step];
    }

    boolean isSlowed() {
        return !scales[step].equals(asked);
    }

    /** The share of the speed asked for, 1 if time is not slowed down. */
    double share() {
        TimeScale now = scales[step];
        return (double) (now.numerator() * asked.denominator()) / (now.denominator() * asked.numerator());
    }

    /** How long a tick takes, as far as that is known. */
    long costNanos() {
        return costNanos;
    }

    /** How long a tick lasts at the speed asked for. */
    long askedPeriodNanos() {
        return askedPeriodNanos;
    }

    /** Whether the work of a tick was so long that it matters whether the thread had its core. */
    boolean isBusy(long workNanos) {
        return isSlowed() || workNanos > BUSY * askedPeriodNanos;
    }

    /** How late the next tick may be: what the windows hide. In the first ticks there is no window yet. */
    long hiddenNanos() {
        if (isStarting() || costs.added() < windowSize) {
            return 0;
        }
        return windowSize == 2 ? askedPeriodNanos / 2 : (windowSize - 2) * askedPeriodNanos;
    }

    /** The newest values of a series. */
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

        /** The value that was added so many values before the newest. */
        long ago(int values) {
            return this.values[(int) (added - 1 - values) & MASK];
        }

        long median() {
            return sorted[sorted.length / 2];
        }

        /** The smallest of the last values. */
        long smallest(int count) {
            long smallest = ago(0);
            for (int i = 1; i < count; i++) {
                smallest = Math.min(smallest, ago(i));
            }
            return smallest;
        }

        /** The largest of the last values. */
        long largest(int count) {
            long largest = ago(0);
            for (int i = 1; i < count; i++) {
                largest = Math.max(largest, ago(i));
            }
            return largest;
        }

        /** The largest value but some. */
        long usualMost(int largerOnes) {
            return sorted[sorted.length - 1 - largerOnes];
        }

        /**
         * The mean without some of the largest and as many of the smallest, and a part of what lies between them, so that few sums of
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
