package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;

/**
 * Computes how far time slows down: so far that a tick lasts as long as it costs.
 *
 * <pre>
 *   P       ns of the clock: the length of a tick at the requested speed
 *   work    ns from the start of a tick to its publish, and what the tick before it did after its publish
 *
 *   after each tick, from the 20th on:
 *     present = least of the last 3 works; but if each of the last 4 exceeds the one before: the newest, bounded by
 *               the straight line through the 3rd and the 4th newest
 *     mean    = mean of the last 20 works, each at most P + half the bound of lateness
 *     cost    = max(mean, present)
 *     slack   = min(mean - 1.05 P, mean deviation of the works, P / 8) if positive
 *     length  = 1.005 max(mean + slack, present)
 *     length  = length + min(length - P, lateness / 24), if length &gt; P
 *     wanted  = the fastest speed at which a tick is that long
 *     speed   = wanted at once if it is slower; else it rises by 10 % at most
 * </pre>
 *
 * <p>The reasons:
 * <ul>
 *   <li>{@code mean} slows nothing down if ticks fit into their period on average: after a long tick, the next ticks catch up. Twenty works
 *       average out a burst of 60 ms in every tenth tick, and forget a load in a second. {@code present} reacts to a new load within three
 *       ticks; without it, frames would stand still until the mean has followed.
 *   <li>A stall beyond the bound of lateness is skipped. It must not slow time down as well, so each work counts only up to a bound.
 *   <li>Work is measured by the clock, and includes waits for a core: a thread that gets half of a core is as slow as on a slower core.
 *   <li>Under a clear overload, every tick longer than the mean would be late, so the slack is as large as the mean deviation. The slack
 *       also lets the thread wait now and then: beside busy programs, a thread that never waits gets less of a core.
 *   <li>Ticks become longer to make up for lateness only while time is slowed down: at full speed, the thread catches up by leaving out
 *       waits.
 *   <li>Time slows down at once, because no reader has seen time after the tick that has just run. It gets faster only as fast as frames
 *       can show without a jump.
 * </ul>
 *
 * <p>Physics thread only.
 */
final class Dilation {

    /** Upper bound on one rise, in steps of {@link Speeds}: 20 steps are 10 %. A larger rise would be visible as a jump. */
    private static final int MAX_RISE = 20;

    /** A smaller rise, in steps of {@link Speeds}, must wait, unless it reaches the full speed. */
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

    /** The work of this many ticks at the start, but for the last {@link #TICKS_OF_PRESENT}, does not count, because they load classes. */
    private static final int TICKS_OF_START = 20;

    private static final int TICKS_OF_PRESENT = 3;
    private static final int TICKS_OF_MEAN = 20;

    private final Speeds speeds;
    private final long maxLatenessNanos;

    /**
     * The work times of the last ticks, each at the number of its tick modulo the length; 0 for the first {@link #TICKS_OF_START} ticks,
     * except the last {@link #TICKS_OF_PRESENT} of them.
     */
    private final long[] works = new long[TICKS_OF_MEAN];

    private long ticks;
    private long costNanos;
    private long ticksSinceChange;

    // The present speed and the slowest allowed one, as indexes of the speeds.
    private int speed;
    private int slowest;

    /** Creates a dilation of time that runs at full speed. It never slows down if the least speed of the policy is 1. */
    Dilation(TickRate rate, LateTicks policy) {
        speeds = new Speeds(rate, policy.least());
        slowest = speeds.slowest();
        maxLatenessNanos = policy.maxLatenessNanos();
    }

    /**
     * Requests another speed of time. Time slows down at once as far as the last ticks need. If time was slowed down before, it now gets
     * faster by one of the {@link Speeds} at most, or to the slowest allowed share of the new speed. The next ticks make it faster, as
     * after any load.
     */
    void request(TimeScale scale) {
        double slowedNanos = speed > 0 ? speeds.lengthNanos(speed - 1) : 0;
        speeds.request(scale);
        speed = Math.min(slowest, speeds.fastest(Math.max(costNanos * MARGIN, slowedNanos)));
        ticksSinceChange = 0;
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
        long meanNanos = meanNanos();
        costNanos = Math.max(meanNanos, presentNanos());
        double overloadNanos = Math.max(0, meanNanos - CLEAR_OVERLOAD * periodNanos());
        double slackNanos = Math.min(MAX_SLACK * periodNanos(), Math.min(overloadNanos, deviationNanos()));
        double neededNanos = MARGIN * Math.max(meanNanos + slackNanos, (double) costNanos);
        // The lateness that is left if ticks get that length.
        double latenessNanos = lateNanos - (neededNanos - lengthNanos());
        double excessNanos = neededNanos - periodNanos();
        neededNanos += Math.max(0, Math.min(excessNanos, latenessNanos / LATE_DIVISOR));
        return move(Math.min(slowest, speeds.fastest(neededNanos)));
    }

    /** Returns the mean of the last works, {@code mean} in the class comment. */
    private long meanNanos() {
        long sumNanos = 0;
        for (long workNanos : works) {
            sumNanos += Math.min(workNanos - periodNanos(), maxLatenessNanos / 2);
        }
        return periodNanos() + sumNanos / TICKS_OF_MEAN;
    }

    /** Returns the mean deviation of the work times from the cost. Ticks of the start whose work is unknown count as 0. */
    private double deviationNanos() {
        long sumNanos = 0;
        for (long workNanos : works) {
            sumNanos += workNanos == 0 ? 0 : Math.abs(workNanos - costNanos);
        }
        return (double) sumNanos / TICKS_OF_MEAN;
    }

    /** Returns the present work per tick, {@code present} in the class comment. */
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
        boolean isWorthwhile = wanted > speed || wanted == 0 || wanted <= speed - WORTHWHILE_RISE;
        if (!isWorthwhile || ticksSinceChange * lengthNanos() < CHANGES_APART_NANOS) {
            return false;
        }
        TimeScale before = scale();
        speed = Math.max(wanted, speed - MAX_RISE);
        boolean changes = !scale().equals(before);
        ticksSinceChange = changes ? 0 : ticksSinceChange;
        return changes;
    }

    /** Ends all slow motion: from now on, time runs at the requested speed. */
    void end() {
        slowest = 0;
        speed = 0;
    }

    TimeScale scale() {
        return speeds.scale(speed);
    }

    /** Ticks in a second of the clock at the present speed of time. */
    TickRate pace() {
        return speeds.pace(speed);
    }

    boolean isSlowed() {
        return !scale().equals(speeds.scale(0));
    }

    boolean maySlow() {
        return slowest > 0;
    }

    double share() {
        return speeds.share(speed);
    }

    /** The time that a tick costs, {@code cost} in the class comment; 0 in the first ticks. */
    long costNanos() {
        return costNanos;
    }

    long periodNanos() {
        return speeds.periodNanos();
    }

    double lengthNanos() {
        return speeds.lengthNanos(speed);
    }

    /**
     * The bound on the lateness of the next tick; what exceeds it is skipped. 0 in the first ticks of a dilating policy: else readers would
     * learn a delay from these slow ticks, and keep it.
     */
    long maxLatenessNanos() {
        return maySlow() && ticks < TICKS_OF_START ? 0 : maxLatenessNanos;
    }
}
