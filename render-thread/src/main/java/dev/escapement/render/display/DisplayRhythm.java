package dev.escapement.render.display;

/**
 * Learns from the calls of a renderer when the display shows its frames.
 *
 * <p>A display of a constant rate changes pictures in equal periods, however early or late the renderer calls. So a frame should show the
 * moment at which the display shows it, its slot, not the moment of its call. While no rhythm is known, and with a variable refresh rate,
 * where the display waits for the calls, a frame shows the moment of its call.
 *
 * <pre>
 * learning:  add each call to {@link RhythmSearch}, until it finds evenly spaced slots in the calls of about a second
 * locked:    residual = call - nearest slot
 *            phase  += residual * gain           the gains of a line fitted to all calls so far,
 *            period += residual * smaller gain   until they have fallen to the gains of a slow loop
 *            show the slot, with the corrections of the phase spread over {@value #SPREAD_FRAMES} frames
 * </pre>
 *
 * <p>The loop is a phase-locked loop (Gardner, Phaselock Techniques), which passes on 1/128 of a call's jitter. It spreads its corrections
 * over frames, because each correction is an animation error.
 *
 * <p>A call is stray if it is more than {@value #MAX_DEVIATIONS} times as far from a slot as usual, or in the slot of the call before.
 * Three stray calls in quick succession end the lock, and so do calls that drift away from their slots. A frame never shows an earlier
 * moment than the last frame, nor a slot more than half a period from its call.
 *
 * <p>One rendering thread. Allocates nothing after construction; a call takes some nanoseconds while locked, and less than a microsecond
 * while learning.
 */
public final class DisplayRhythm {

    private static final double PHASE_GAIN = 1.0 / 128;

    /** A quarter of the squared phase gain, with which the loop is critically damped. */
    private static final double PERIOD_GAIN = PHASE_GAIN * PHASE_GAIN / 4;

    private static final int SPREAD_FRAMES = 16;

    private static final int MAX_DEVIATIONS = 4;

    /** A call further from its slot than this, in periods, is always stray. Has room for a jitter of 0.3 and an error of the phase. */
    private static final double MAX_PERIODS = 0.35;

    private static final double MAX_STRAYS = 3;

    /** The amount by which each call near its slot lowers {@link #strays}. */
    private static final double FORGIVEN = 1.0 / 8;

    private static final double VARIANCE_GAIN = 1.0 / 32;
    private static final double MEAN_GAIN = 1.0 / 16;
    private static final double LEAD_GAIN = 1.0 / 8;

    /** Above this von Neumann ratio of the residuals, frames show slots instead of calls. Independent jitter has a ratio of about 2. */
    private static final double BETTER_RATIO = 1.2;

    /** Below this von Neumann ratio of the residuals, calls drift away from their slots. */
    private static final double DRIFT_RATIO = 0.7;

    /** Calls drift away from slots if the mean residual exceeds this many standard deviations plus the possible error of the first fit. */
    private static final double DRIFT_DEVIATIONS = 0.8;

    private static final double FIT_DEVIATIONS = 2.5;
    private static final double MAX_FITTED = 256;

    private final RhythmSearch search = new RhythmSearch();
    private boolean started;
    private long lastCallNanos;
    private long shownNanos;

    private boolean locked;

    /** True once the calls of this lock were much less even than slots. Until then, frames show the moments of their calls. */
    private boolean showsSlots;

    // The learned slots: the last one in whole nanoseconds, its fraction of a nanosecond, and the period between slots.
    private long slotNanos;
    private double fractionNanos;
    private double periodNanos;
    private double calls;

    /** Added to the slot that a frame shows, so that each phase correction takes effect gradually, over {@value #SPREAD_FRAMES} frames. */
    private double spreadNanos;

    /** How long before their slots the earliest calls come. */
    private double leadNanos;

    private long targetNanos;

    // Statistics of the residuals, which are the distances of the calls from their slots.
    private double strays;
    private double variance;
    private double stepVariance;
    private double lastResidualNanos;
    private double meanNanos;

    /** Creates a rhythm that has learned nothing yet. */
    public DisplayRhythm() {}

    /**
     * Learns from a call and returns the moment that its frame shows. Calls at one instant show the same moment.
     *
     * @param callNanos the instant of the call, not before the last call
     * @return an instant within half a period of {@code callNanos}, not before the instant returned last
     */
    public long displayNanos(long callNanos) {
        if (!started) {
            started = true;
            search.restart(callNanos);
            shownNanos = callNanos;
            targetNanos = callNanos;
        } else if (callNanos - lastCallNanos > 0) {
            boolean wasLocked = locked && showsSlots;
            long moment = locked ? track(callNanos) : learn(callNanos);
            shownNanos += Math.max(0, moment - shownNanos);
            boolean isLocked = locked && showsSlots;
            long earliestNanos = shownNanos - (long) leadNanos;
            boolean isEarliest = isLocked && (!wasLocked || earliestNanos - callNanos > 0);
            targetNanos += Math.max(0, (isEarliest ? earliestNanos : callNanos) - targetNanos);
            if (isEarliest && wasLocked) { // the call is earlier than the learned ones: jitter has grown
                leadNanos += (earliestNanos - callNanos) * LEAD_GAIN;
            }
        } else if (callNanos - lastCallNanos < 0) {
            return callNanos; // the clock went backwards, which the view refuses
        }
        lastCallNanos = callNanos;
        return shownNanos;
    }

    /** {@return the display's period in nanoseconds; 0 while it is not known} */
    public double periodNanos() {
        return locked ? periodNanos : 0;
    }

    /**
     * {@return the instant that the interpolation delay uses as the time of the last call}
     *
     * <p>In the first frame of a lock, this instant precedes the slot by the lead of the earliest learned call, so that the delay need not
     * grow later. A later call with a longer lead counts as if it had the lead of that earliest call. Otherwise one call that seems early,
     * by an error of the first fit, would stay in the delay for 10 s. The lead grows if more calls are that early.
     */
    public long targetNanos() {
        return targetNanos;
    }

    /** Forgets the learned rhythm. The next call begins to learn again. */
    public void forget() {
        started = false;
        locked = false;
    }

    private long learn(long callNanos) {
        if (!search.add(callNanos)) {
            return callNanos;
        }
        locked = true;
        slotNanos = search.slotNanos();
        fractionNanos = search.slotFractionNanos();
        periodNanos = search.periodNanos;
        calls = search.calls();
        variance = search.variance;
        stepVariance = search.stepVariance;
        lastResidualNanos = search.lastResidualNanos;
        leadNanos = search.leadNanos();
        spreadNanos = 0;
        showsSlots = false;
        strays = 0;
        meanNanos = 0;
        return moment(callNanos);
    }

    private long track(long callNanos) {
        double sinceNanos = callNanos - slotNanos - fractionNanos;
        double slots = Math.rint(sinceNanos / periodNanos);
        double residual = sinceNanos - slots * periodNanos;
        double deviation = Math.sqrt(Math.max(variance, RhythmSearch.EVEN_VARIANCE));
        double max = Math.min(MAX_PERIODS * periodNanos, MAX_DEVIATIONS * deviation);
        boolean isStray = slots <= 0 || Math.abs(residual) > max;
        strays = isStray ? strays + 1 : Math.max(0, strays - FORGIVEN);
        residual = Math.max(-max, Math.min(residual, max));
        addDeviation(residual, slots == 1);
        boolean isGap = sinceNanos > RhythmSearch.MAX_GAP_NANOS;
        if (isGap || strays >= MAX_STRAYS || isDrifting()) {
            locked = false;
            search.restart(callNanos);
            return callNanos;
        }
        if (slots > 0) {
            correctLine(slots, residual);
        }
        boolean isInDoubt =
                isStray && (strays > 1 || slots <= 0); // after a single stray call, the frame still shows the slot
        return isInDoubt ? callNanos : moment(callNanos);
    }

    private void addDeviation(double residual, boolean isNext) {
        variance += (residual * residual - variance) * VARIANCE_GAIN;
        if (isNext) {
            double step = residual - lastResidualNanos;
            stepVariance += (step * step - stepVariance) * VARIANCE_GAIN;
        }
        lastResidualNanos = residual;
        meanNanos += (residual - meanNanos) * MEAN_GAIN;
    }

    private boolean isDrifting() {
        double max = DRIFT_DEVIATIONS + FIT_DEVIATIONS / Math.sqrt(Math.min(calls, MAX_FITTED));
        boolean isAway = stepVariance < DRIFT_RATIO * variance || meanNanos * meanNanos > max * max * variance;
        return isAway && !isEven();
    }

    private boolean isEven() {
        return variance < RhythmSearch.EVEN_VARIANCE;
    }

    private void correctLine(double slots, double residual) {
        // At first, the gains are those of a line fitted to the calls so far. They fall with each call, down to the
        // constant gains of the loop.
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

    private long moment(long callNanos) {
        showsSlots |= !isEven() && stepVariance > BETTER_RATIO * variance;
        if (!showsSlots) {
            return callNanos;
        }
        long half = (long) (periodNanos / 2);
        long awayNanos = slotNanos - callNanos + (long) Math.rint(fractionNanos + spreadNanos);
        return callNanos + Math.max(-half, Math.min(awayNanos, half));
    }
}
