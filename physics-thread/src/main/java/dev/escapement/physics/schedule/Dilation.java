package dev.escapement.physics.schedule;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;

/**
 * Chooses the speed of time: so fast that a tick lasts as long as it costs. Time slows down for a load, but not for bursts of long ticks
 * that recur ({@link Bursts}).
 *
 * <pre>
 *   value     unit  meaning                                         why
 *   period    ns    the length of a tick at the requested speed
 *   work      ns    of a tick: from its start to its publish, and   waits for a core count: a thread that gets half of
 *                   what the tick before did after its publish      one is as slow as on a slower core
 *   mean      ns    of the last 20 works, each at most period +     ticks that fit on average slow nothing down: the next
 *                   half the bound of lateness; the bursts' mean    ones catch up. A stall is skipped instead
 *                   if their backlog is usual
 *   present   ns    the least of the last 3 works. If each of the   a load counts after 3 ticks; else frames would stand
 *                   last 4 exceeds the one before: the newest, or   still until the mean has followed. A usual row will
 *                   what a line through the 3rd and 4th newest      end, and be caught up with, or skipped
 *                   foretells if that is less. 0 in a usual row
 *   cost      ns    the larger of mean and present
 *   slack     ns    the least of mean - 1.05 period, the mean       in an overload each tick above the mean would be late,
 *                   deviation of the works, and period / 8; not     and a thread that never waits gets less of a core
 *                   below 0
 *   lateness  ns    of the publish, if the next tick has the        made up for while time is slowed; at full speed, the
 *                   length without it                               thread catches up by leaving out waits
 *   length    ns    1.005 max(mean + slack, present), and           of the next tick: a little longer than its cost, so
 *                   min(length - period, lateness / 24) more; the   that the thread catches up
 *                   cost if the backlog is usual
 *   slowdown  steps the least whose ticks are as long               more at once, because no reader has seen time after the
 *                                                                   last tick; at most 20 steps, 10 %, less, because a
 *                                                                   larger rise of the speed would be seen as a jump
 * </pre>
 *
 * <p>The speeds are exact fractions of the requested one: 1, 0.995, 0.995^2, ... A slowdown is the number of one of them, 0 for the
 * requested speed. At 100 Hz and work of 11 ms, 21 steps, to 0.995^21 = 0.900, make a tick last 11.11 ms. The series is fixed, so that
 * noise rarely changes the speed.
 *
 * <p>The work of the first 20 ticks, which load classes, slows nothing down. Physics thread only. Allocates when a speed is first needed
 * after a request.
 */
final class Dilation {

    /** The largest rise of the speed in a tick, in steps: 20 steps are 10 %. */
    private static final int MAX_RISE = 20;

    /** A smaller rise, in steps, must wait, unless it reaches the requested speed. */
    private static final int WORTHWHILE_RISE = 4;

    /**
     * The least time between two changes of speed. A timeline keeps a limited number of pieces of constant speed, and each change adds one.
     * With this distance, changes take at least a tenth of a second to fill the timeline, whatever the tick rate. Each skip adds two
     * pieces.
     */
    private static final long CHANGES_APART_NANOS = 8_000_000;

    /** A slowed tick lasts this many times its cost: a little longer, so that physics catches up after a late tick. */
    private static final double MARGIN = 1.005;

    // CLEAR_OVERLOAD and MAX_SLACK are in periods. If uneven works fit into a period on average, the mean of 20 rarely
    // exceeds CLEAR_OVERLOAD.
    private static final double CLEAR_OVERLOAD = 1.05;
    private static final double MAX_SLACK = 0.125;
    private static final int LATE_DIVISOR = 24;

    private static final int TICKS_OF_START = 20;
    private static final int TICKS_OF_PRESENT = 3;
    private static final int TICKS_OF_MEAN = 20;

    /** Ticks longer than this make the bound of lateness longer by the same factor, so that it is always as many ticks. */
    private static final long USUAL_TICK_NANOS = 10_000_000;

    private static final double STEP = 0.995;
    private static final long FINEST_PARTS = 1_000_000;
    private static final long COARSEST_PARTS = 1000;

    private final TickRate rate;

    /** Per slowdown, the length of a tick in periods: 1, 1 / 0.995, 1 / 0.995^2, ... */
    private final double[] lengths;

    /** Per slowdown; null until it is needed for the first time after a request. */
    private final TimeScale[] scales;

    private final TickRate[] paces;
    private TimeScale requested = TimeScale.ONE;
    private long periodNanos;

    private final Bursts bursts = new Bursts();
    private final long maxLatenessNanos;

    /**
     * The last works, each at the number of its tick modulo the length; 0 for the first {@link #TICKS_OF_START} ticks, except the last
     * {@link #TICKS_OF_PRESENT} of them.
     */
    private final long[] works = new long[TICKS_OF_MEAN];

    private long ticks;
    private long costNanos;
    private long ticksSinceChange;

    private int slowdown;
    private int maxSlowdown;

    /** Creates a dilation of time that runs at full speed. It never slows down if the least speed of the policy is 1. */
    Dilation(TickRate rate, LateTicks policy) {
        this.rate = rate;
        double share = (double) policy.least().numerator() / policy.least().denominator();
        lengths = new double[1 + (int) Math.floor(Math.log(share) / Math.log(STEP) + 1e-9)];
        Arrays.setAll(lengths, i -> Math.pow(STEP, -i));
        scales = new TimeScale[lengths.length];
        paces = new TickRate[lengths.length];
        maxSlowdown = lengths.length - 1;
        setRequested(TimeScale.ONE);
        double ticksLonger = maySlow() ? Math.max(1, (double) rate.nanosAt(1) / USUAL_TICK_NANOS) : 1;
        maxLatenessNanos = (long) (policy.maxLatenessNanos() * ticksLonger);
    }

    /**
     * Requests another speed of time. Time slows down at once as far as the last ticks need. If time was slowed down before, it now gets
     * faster by one of the speeds at most, or to the slowest allowed share of the new speed. The next ticks make it faster, as
     * after any load.
     */
    void request(TimeScale scale) {
        double slowedNanos = slowdown == 0 ? 0 : lengthNanos(slowdown - 1);
        setRequested(scale);
        slowdown = leastFor(Math.max(costNanos * MARGIN, slowedNanos));
        ticksSinceChange = 0;
        bursts.forget();
    }

    /**
     * Adds a tick.
     *
     * @param workNanos the work of the thread since it published the tick before
     * @param lateNanos from the due time of the next tick, at the present speed, to the publish; negative if the publish came first
     * @return whether the speed has changed
     */
    boolean ticked(long workNanos, long lateNanos) {
        works[(int) (ticks % TICKS_OF_MEAN)] = ticks < TICKS_OF_START - TICKS_OF_PRESENT ? 0 : workNanos;
        ticks++;
        ticksSinceChange++;
        bursts.add(countedNanos(workNanos(0)), periodNanos, maxLatenessNanos);
        boolean isUsual = bursts.isBacklogUsual(periodNanos);
        long meanNanos = isUsual ? bursts.meanNanos() : meanNanos();
        costNanos = Math.max(meanNanos, bursts.isRowUsual() ? 0 : presentNanos());
        return move(leastFor(isUsual ? costNanos : neededNanos(meanNanos, lateNanos)));
    }

    private double neededNanos(long meanNanos, long lateNanos) {
        double overloadNanos = Math.max(0, meanNanos - CLEAR_OVERLOAD * periodNanos);
        double slackNanos = Math.min(MAX_SLACK * periodNanos, Math.min(overloadNanos, deviationNanos()));
        double lengthNanos = MARGIN * Math.max(meanNanos + slackNanos, (double) costNanos);
        double latenessNanos = lateNanos - (lengthNanos - lengthNanos());
        return lengthNanos + Math.max(0, Math.min(lengthNanos - periodNanos, latenessNanos / LATE_DIVISOR));
    }

    private long countedNanos(long workNanos) {
        return Math.min(workNanos - periodNanos, maxLatenessNanos / 2) + periodNanos;
    }

    private long meanNanos() {
        long sumNanos = 0;
        for (long workNanos : works) {
            sumNanos += countedNanos(workNanos);
        }
        return sumNanos / TICKS_OF_MEAN;
    }

    /** Returns the mean deviation of the works from the cost. Ticks of the start whose work is unknown count as 0. */
    private double deviationNanos() {
        long sumNanos = 0;
        for (long workNanos : works) {
            sumNanos += workNanos == 0 ? 0 : Math.abs(workNanos - costNanos);
        }
        return (double) sumNanos / TICKS_OF_MEAN;
    }

    private long presentNanos() {
        long newest = workNanos(0);
        long third = workNanos(2);
        long fourth = workNanos(3);
        boolean rises = newest > workNanos(1) && workNanos(1) > third && third > fourth && fourth > workNanos(4);
        return rises ? Math.min(newest, third + 2 * (third - fourth)) : Math.min(newest, Math.min(workNanos(1), third));
    }

    /** Returns the work {@code age} ticks before the newest. */
    private long workNanos(int age) {
        return works[(int) ((ticks + TICKS_OF_MEAN - 1 - age) % TICKS_OF_MEAN)];
    }

    private boolean move(int wanted) {
        boolean isWorthwhile = wanted > slowdown || wanted == 0 || wanted <= slowdown - WORTHWHILE_RISE;
        if (!isWorthwhile || ticksSinceChange * lengthNanos() < CHANGES_APART_NANOS) {
            return false;
        }
        TimeScale before = scale();
        slowdown = Math.max(wanted, slowdown - MAX_RISE);
        boolean changes = !scale().equals(before);
        ticksSinceChange = changes ? 0 : ticksSinceChange;
        return changes;
    }

    /** Ends all slow motion: from now on, time runs at the requested speed. */
    void end() {
        maxSlowdown = 0;
        slowdown = 0;
    }

    TimeScale scale() {
        compute(slowdown);
        return scales[slowdown];
    }

    /** Ticks in a second of the clock at the present speed of time. */
    TickRate pace() {
        compute(slowdown);
        return paces[slowdown];
    }

    boolean isSlowed() {
        return !scale().equals(requested);
    }

    boolean maySlow() {
        return maxSlowdown > 0;
    }

    /** The present speed as a share of the requested one. */
    double share() {
        TimeScale scale = scale();
        return (double) (scale.numerator() * requested.denominator()) / (scale.denominator() * requested.numerator());
    }

    /** The time that a tick costs; 0 in the first ticks. */
    long costNanos() {
        return costNanos;
    }

    long periodNanos() {
        return periodNanos;
    }

    /** The length of a tick at the present speed. */
    double lengthNanos() {
        return lengthNanos(slowdown);
    }

    /**
     * The bound on the lateness of the next tick; what exceeds it is skipped. 0 in the first ticks of a dilating policy: else readers would
     * learn a delay from these slow ticks, and keep it.
     */
    long maxLatenessNanos() {
        return maySlow() && ticks < TICKS_OF_START ? 0 : maxLatenessNanos;
    }

    private void setRequested(TimeScale scale) {
        requested = scale;
        Arrays.fill(scales, null);
        scales[0] = scale;
        paces[0] = scale.times(rate);
        periodNanos = Math.max(1, paces[0].nanosAt(1));
    }

    /** Returns the least slowdown at which a tick lasts that long or longer; the largest allowed one if no tick does. */
    private int leastFor(double neededNanos) {
        int found = Arrays.binarySearch(lengths, neededNanos / periodNanos);
        return Math.min(maxSlowdown, found < 0 ? -found - 1 : found);
    }

    private double lengthNanos(int ofSlowdown) {
        return periodNanos * lengths[ofSlowdown];
    }

    /** Computes a speed when it is first needed. If no timeline can represent that speed, the next faster one takes its place. */
    private void compute(int needed) {
        for (long parts = FINEST_PARTS; scales[needed] == null && parts >= COARSEST_PARTS; parts /= 10) {
            try {
                TimeScale scale = scaleOf(parts, lengths[needed]);
                paces[needed] = scale.times(rate);
                scales[needed] = scale;
            } catch (IllegalArgumentException beyond) {
                // a coarser fraction may be possible
            }
        }
        if (scales[needed] == null) {
            compute(needed - 1);
            scales[needed] = scales[needed - 1];
            paces[needed] = paces[needed - 1];
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
