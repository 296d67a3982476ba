package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks that the time of executed ticks, skipped time and slowed time add up. It reads the metrics of each tick. One thread, at least
 * every few seconds.
 *
 * <p>While nobody changes the speed of time, a tick has the length of the rate and the speed. Its due time is that of the tick before, plus
 * this period and the time that was skipped and slowed down.
 */
final class TickCheck implements Part {

    /** The rounding error between due times that are computed from different origins. */
    private static final long ROUNDING_NANOS = 2_000;

    private final Check check;
    private final boolean isPlanted;
    private final LateTicks policy;
    private final NanoClock clock;

    @SuppressWarnings("NullAway.Init")
    private TickingWorld physics;

    @SuppressWarnings("NullAway.Init")
    private MetricRing<TickMetric>.Reader rows;

    // The physics thread's field.
    private long steppingNanos;

    // Written by the physics thread alone; any thread reads it, and nothing else is ordered by it.
    private final AtomicLong published = new AtomicLong();

    // Volatile: another thread writes evenPeriodNanos first and then evenSince; row() reads them in the same order.
    private volatile long evenPeriodNanos;
    private volatile long evenSince;

    private long tickBefore = Long.MIN_VALUE;
    private long expectedDueNanos;
    private long publishedNanosBefore;
    private long skippedNanos;
    private long slowedNanos;
    private long ticks;

    /** The number of ticks before the first row that was read, because a host's ticks begin before this check can read rows. */
    private long unread;

    TickCheck(Life life) {
        this(
                life.trial.check(Promise.TICKS_ADD_UP),
                life.trial.planted() == Promise.TICKS_ADD_UP,
                life.plan.lateTicks(),
                NanoClock.system());
    }

    /**
     * Creates a check.
     *
     * @param policy bounds how late ticks may be
     */
    TickCheck(Check check, boolean isPlanted, LateTicks policy, NanoClock clock) {
        this.check = check;
        this.isPlanted = isPlanted;
        this.policy = policy;
        this.clock = clock;
    }

    @Override
    public void read(TickingWorld ticking) {
        physics = ticking;
        rows = physics.tickMetrics().newReader();
        evenPeriodNanos = physics.rate().nanosAt(1);
    }

    @Override
    public void stepping(Tick tick) {
        steppingNanos = clock.nanoTime();
    }

    /**
     * Checks the order of a tick's instants, from which everything else is measured. The instants must also match those that this check
     * itself reads from the clock.
     */
    @Override
    public void published(TickTimes tick) {
        if (tick.startedNanos() > steppingNanos
                || tick.steppedNanos() < steppingNanos
                || tick.publishedNanos() < tick.steppedNanos()
                || tick.publishedNanos() > clock.nanoTime()) {
            check.broken(
                    "tick " + tick.tick() + " was said to start at " + tick.startedNanos() + ", to have stepped at "
                            + tick.steppedNanos() + " and to be published at " + tick.publishedNanos()
                            + ", but its step was about to begin at " + steppingNanos + ", and this was read at "
                            + clock.nanoTime());
        }
        published.setRelease(published.getPlain() + 1);
    }

    /** Returns the number of published ticks. Any thread. */
    long published() {
        return published.getAcquire();
    }

    /** Declares that the speed of time will change. Call it before the change; any thread, but one at a time. */
    void changes() {
        evenSince = Long.MAX_VALUE;
    }

    /** Declares that time has run evenly since a tick, with ticks of this length. Only for the thread that called {@link #changes()}. */
    void even(long sinceTick, long periodNanos) {
        evenPeriodNanos = periodNanos;
        evenSince = sinceTick;
    }

    /** Returns the tick since which time runs evenly; Long.MAX_VALUE while its speed changes. */
    long evenSince() {
        return evenSince;
    }

    @Override
    public void look() {
        while (rows.next()) {
            row();
        }
    }

    private void row() {
        long tick = rows.get(TickMetric.TICK);
        long dueNanos = rows.get(TickMetric.DUE_NANOS);
        long period = rows.get(TickMetric.PERIOD_NANOS);
        long wanted = evenPeriodNanos;
        if (tick == tickBefore + 1 && tickBefore >= evenSince) { // read last, so that any change came before
            long planted = isPlanted ? period : 0;
            long difference = dueNanos + planted - rows.get(TickMetric.SLOWED_NANOS) - expectedDueNanos;
            check.that(
                    Math.abs(difference) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " was due " + difference
                            + " ns after the tick before, its period, and what was skipped and slowed down");
            check.that(
                    Math.abs(period - wanted) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " lasts " + period + " ns, but has to last " + wanted);
            // A tick whose due time is before the publication of the tick before is late, and its policy bounds how
            // late.
            long lateNanos = publishedNanosBefore - dueNanos - policy.maxLatenessNanos();
            check.that(
                    lateNanos <= ROUNDING_NANOS,
                    () -> "tick " + tick + " is by " + lateNanos + " ns later than " + policy + " allows");
        }
        long withoutStep = tick - tickBefore - 1; // ticks without a step in a pause, when time does not run evenly
        if (ticks > 0 && tickBefore >= evenSince && rows.missed() == 0) {
            check.that(withoutStep == 0, () -> "tick " + tick + " comes after tick " + (tick - withoutStep - 1));
        }
        if (ticks == 0) {
            unread = tick - 1 - rows.missed(); // ticks are numbered from 1
        }
        expectedDueNanos = dueNanos + period + rows.get(TickMetric.SKIPPED_NANOS);
        skippedNanos += rows.get(TickMetric.SKIPPED_NANOS);
        slowedNanos += rows.get(TickMetric.SLOWED_NANOS);
        tickBefore = tick;
        ticks++;
        publishedNanosBefore = rows.get(TickMetric.PUBLISHED_NANOS);
    }

    /**
     * Compares the sums of all rows with the counts of the service. The last tick's number may be greater, because commands in pauses are
     * published without a step.
     */
    @Override
    public void check() {
        look();
        long ran = published();
        long lastTick = ticks == 0 ? 0 : tickBefore;
        check.that(
                unread + ticks + rows.missed() == ran && lastTick >= ran,
                () -> "there are rows of " + ticks + " ticks, " + rows.missed() + " were missed, " + ran
                        + " were published, the last is " + lastTick);
        if (unread + rows.missed() == 0) {
            check.that(
                    slowedNanos <= physics.slowedNanos() && skippedNanos <= physics.skippedNanos(),
                    () -> "ticks skipped " + skippedNanos + " ns of " + physics.skippedNanos() + " and slowed down "
                            + slowedNanos + " of " + physics.slowedNanos());
        }
    }
}
