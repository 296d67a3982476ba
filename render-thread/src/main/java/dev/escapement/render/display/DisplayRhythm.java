package dev.escapement.render.display;

/**
 * Learns from the calls of a renderer when the display shows its frames. A display of a constant rate changes pictures in equal periods,
 * however early or late the code runs that draws them; the moment to show is that of the slot, not that of the call. While no rhythm is
 * known, and with a variable refresh rate, where the display waits for the calls, it is that of the call.
 *
 * <p>{@link RhythmSearch} finds a line of slots in the calls of a second. From then on each call belongs to the nearest slot, and a
 * phase-locked loop follows phase and period, first with the gains of a line fitted to all calls so far, then slowly (Gardner, Phaselock
 * Techniques): it passes on 1/128 of a call's jitter. Its corrections are spread over {@value #SPREAD_FRAMES} frames, because each is an
 * animation error.
 *
 * <p>The lock is given up, and learned again, after three calls in short order that are no neighbour of a slot: more than
 * {@value #MAX_DEVIATIONS} times as far from it as calls usually are, or in the slot of the call before; and if calls drift away from their
 * slots. Nothing shown lies before what was shown, or more than half a period from its call.
 *
 * <p>One rendering thread. Allocates nothing after construction; a call takes some nanoseconds with a lock, a few hundred without.
 */
public final class DisplayRhythm {

    private static final double PHASE_GAIN = 1.0 / 128;

    /** A quarter of the squared phase gain damps critically. */
    private static final double PERIOD_GAIN = PHASE_GAIN * PHASE_GAIN / 4;

    private static final int SPREAD_FRAMES = 16;

    private static final int MAX_DEVIATIONS = 4;

    /** A jitter of 0.3 periods, and an error of phase. */
    private static final double MAX_PERIODS = 0.35;

    private static final double MAX_STRAYS = 3;

    /** What a call near its slot takes off {@link #strays}. */
    private static final double FORGIVEN = 1.0 / 8;

    /** The weight of a call in the variances. */
    private static final double NEW = 1.0 / 32;

    /** The weight of a call in the mean residual. */
    private static final double NEW_IN_MEAN = 1.0 / 16;

    /** What a call that is too early adds of that to the lead. */
    private static final double NEW_IN_LEAD = 1.0 / 8;

    /** Of von Neumann's ratio, which is about 2 for jitter: from here on slots are better than calls. */
    private static final double BETTER_RATIO = 1.2;

    /** Below this ratio, calls drift. */
    private static final double DRIFT_RATIO = 0.7;

    /** The mean residual, in deviations: calls drift above this, and above what the first fit may err by. */
    private static final double DRIFT_DEVIATIONS = 0.8;

    private static final double FIT_DEVIATIONS = 2.5;
    private static final double MAX_FITTED = 256;

    private final RhythmSearch search = new RhythmSearch();
    private boolean started;
    private long lastNanos;
    private long shownNanos;

    private boolean locked;

    /** Whether slots are shown: false while calls are as even as slots. */
    private boolean showsSlots;

    // The line: the last slot, in whole nanoseconds and the fraction, and its period.
    private long slotNanos;
    private double fractionNanos;
    private double periodNanos;
    private double calls;

    /** What is shown is the line plus this. */
    private double spreadNanos;

    /** How long before its slot a call may come. */
    private double leadNanos;

    private long madeNanos;
    private double strays;
    private double variance;
    private double stepVariance;
    private double lastResidualNanos;
    private double meanNanos;

    /** Creates a rhythm that has heard no call. */
    public DisplayRhythm() {}

    /**
     * The moment to show for a call. Calls at one instant get the same one.
     *
     * @param nowNanos when the frame is made, not before the last call
     * @return an instant within half a period of {@code nowNanos}, not before that of the last call
     */
    public long displayNanos(long nowNanos) {
        if (!started) {
            started = true;
            search.restart(nowNanos);
            shownNanos = nowNanos;
            madeNanos = nowNanos;
        } else if (nowNanos - lastNanos > 0) {
            boolean wasLocked = locked && showsSlots;
            long moment = locked ? track(nowNanos) : learn(nowNanos);
            shownNanos += Math.max(0, moment - shownNanos);
            boolean isLocked = locked && showsSlots;
            long earliestNanos = shownNanos - (long) leadNanos;
            boolean isEarliest = isLocked && (!wasLocked || earliestNanos - nowNanos > 0);
            madeNanos += Math.max(0, (isEarliest ? earliestNanos : nowNanos) - madeNanos);
            if (isEarliest && wasLocked) { // jitter has grown
                leadNanos += (earliestNanos - nowNanos) * NEW_IN_LEAD;
            }
        } else if (nowNanos - lastNanos < 0) {
            return nowNanos; // the clock goes back, which the view refuses
        }
        lastNanos = nowNanos;
        return shownNanos;
    }

    /** {@return the display's period in nanoseconds; 0 while it is not known} */
    public double periodNanos() {
        return locked ? periodNanos : 0;
    }

    /**
     * {@return when the last frame was made, as the interpolation delay is to know it} With a new lock, as long before its slot as the
     * earliest call that the rhythm was learned from, so that the delay need not grow later. A single call that is
     * earlier, by an error of the first fit, must not stay in the delay for ten seconds; where such calls go on, the lead grows.
     */
    public long madeNanos() {
        return madeNanos;
    }

    /** Learns anew from the next call on. */
    public void forget() {
        started = false;
        locked = false;
    }

    private long learn(long nowNanos) {
        if (!search.add(nowNanos)) {
            return nowNanos;
        }
        locked = true;
        search.giveTo(this);
        return moment(nowNanos);
    }

    /** Takes over a line. */
    void follow(long lastSlotNanos, double newFractionNanos, double newPeriodNanos, int fittedCalls) {
        slotNanos = lastSlotNanos;
        fractionNanos = newFractionNanos;
        periodNanos = newPeriodNanos;
        calls = fittedCalls;
        spreadNanos = 0;
        showsSlots = false;
        strays = 0;
        meanNanos = 0;
    }

    /** Takes over how calls differ from the line: mean squares, of successive differences, and the last one. */
    void spread(double newVariance, double newStepVariance, double newLastResidualNanos) {
        variance = newVariance;
        stepVariance = newStepVariance;
        lastResidualNanos = newLastResidualNanos;
    }

    /** Takes over how long before its slot a call may come. */
    void lead(double newLeadNanos) {
        leadNanos = newLeadNanos;
    }

    private long track(long nowNanos) {
        double sinceNanos = nowNanos - slotNanos - fractionNanos;
        double slots = Math.rint(sinceNanos / periodNanos);
        double residual = sinceNanos - slots * periodNanos;
        double deviation = Math.sqrt(Math.max(variance, RhythmSearch.EVEN_NANOS * RhythmSearch.EVEN_NANOS));
        double max = Math.min(MAX_PERIODS * periodNanos, MAX_DEVIATIONS * deviation);
        boolean isStray = slots <= 0 || Math.abs(residual) > max;
        strays = isStray ? strays + 1 : Math.max(0, strays - FORGIVEN);
        residual = Math.max(-max, Math.min(residual, max));
        add(residual, slots == 1);
        boolean isGap = sinceNanos > RhythmSearch.MAX_GAP_NANOS;
        if (isGap || strays >= MAX_STRAYS || isDrifting()) {
            locked = false;
            search.restart(nowNanos);
            return nowNanos;
        }
        if (slots > 0) {
            correct(slots, residual);
        }
        boolean isInDoubt = isStray && (strays > 1 || slots <= 0); // a lone call may be late on a display that is not
        return isInDoubt ? nowNanos : moment(nowNanos);
    }

    private void add(double residual, boolean isNext) {
        variance += (residual * residual - variance) * NEW;
        if (isNext) {
            double step = residual - lastResidualNanos;
            stepVariance += (step * step - stepVariance) * NEW;
        }
        lastResidualNanos = residual;
        meanNanos += (residual - meanNanos) * NEW_IN_MEAN;
    }

    private boolean isDrifting() {
        double max = DRIFT_DEVIATIONS + FIT_DEVIATIONS / Math.sqrt(Math.min(calls, MAX_FITTED));
        boolean isAway = stepVariance < DRIFT_RATIO * variance || meanNanos * meanNanos > max * max * variance;
        return isAway && !isEven();
    }

    private boolean isEven() {
        return variance < RhythmSearch.EVEN_NANOS * RhythmSearch.EVEN_NANOS;
    }

    private void correct(double slots, double residual) {
        // The gains of a line fitted to the calls so far fall until they reach the gains of the loop.
        calls++;
        double pairs = calls * (calls + 1);
        double phase = residual * Math.max(PHASE_GAIN, 2 * (2 * calls - 1) / pairs);
        double step = fractionNanos + slots * periodNanos + phase;
        long whole = (long) step;
        slotNanos += whole;
        fractionNanos = step - whole;
        periodNanos += residual * Math.max(PERIOD_GAIN, 6 / pairs) / slots;
        spreadNanos = (spreadNanos - phase) * (1 - 1.0 / SPREAD_FRAMES);
    }

    private long moment(long nowNanos) {
        showsSlots |= !isEven() && stepVariance > BETTER_RATIO * variance;
        if (!showsSlots) {
            return nowNanos;
        }
        long half = (long) (periodNanos / 2);
        long awayNanos = slotNanos - nowNanos + (long) Math.rint(fractionNanos + spreadNanos);
        return nowNanos + Math.max(-half, Math.min(awayNanos, half));
    }
}
