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
 * Ticks that ran, and time that was skipped or slowed down, add up: reads the row of each tick. One thread, at least every few seconds.
 *
 * <p>Where nobody changes the speed of time, a tick is as long as the rate and the speed say, and due this period, what was skipped and
 * what was slowed down since the tick before.
 */
final class TickCheck implements Part {

    /** Due times are rounded from different origins. */
    private static final long ROUNDING_NANOS = 2_000;

    private final Check check;
    private final boolean isPlanted;
    private final LateTicks policy;
    private final NanoClock clock;

    @SuppressWarnings("NullAway.Init")
    private TickingWorld physics;

    @SuppressWarnings("NullAway.Init")
    private MetricRing<TickMetric>.Reader rows;

    // The physics thread's.
    private long steppingNanos;

    // Written by the physics thread alone; any thread reads it, and nothing else is ordered by it.
    private final AtomicLong published = new AtomicLong();

    // Volatile: another thread writes them, the period first, and row() reads it first.
    private volatile long evenPeriodNanos;
    private volatile long evenSince;

    private long tickBefore = Long.MIN_VALUE;
    private long expectedDueNanos;
    private long publishedNanosBefore;
    private long skippedNanos;
    private long slowedNanos;
    private long ticks;

    /** How many ticks there were before the first row: a host's ticks begin before somebody can read them. */
    private long unread;

    TickCheck(Life life) {
        this(
                life.trial.check(Promise.TICKS_ADD_UP),
                life.trial.planted() == Promise.TICKS_ADD_UP,
                life.plan.lateTicks(),
                NanoClock.system());
    }

    /** @param policy bounds how late ticks may be */
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
     * Checks that the instants of a tick, from which everything else is measured, are in order. They must also match the instants that this
     * check reads.
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

    /** Returns how many ticks were published. Any thread. */
    long published() {
        return published.getAcquire();
    }

    /** Notes that time changes from now on. Before it does; by one thread at a time, any. */
    void changes() {
        evenSince = Long.MAX_VALUE;
    }

    /** Notes that time runs evenly since this tick, and each lasts for so long. By the thread that called {@link #changes()}. */
    void even(long sinceTick, long periodNanos) {
        evenPeriodNanos = periodNanos;
        evenSince = sinceTick;
    }

    /** Returns since which tick time runs evenly; the greatest number while it changes. */
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
        if (tick == tickBefore + 1 && tickBefore >= evenSince) { // read last: any change came before
            long planted = isPlanted ? period : 0;
            long difference = dueNanos + planted - rows.get(TickMetric.SLOWED_NANOS) - expectedDueNanos;
            check.that(
                    Math.abs(difference) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " was due " + difference
                            + " ns after the tick before, its period, and what was skipped and slowed down");
            check.that(
                    Math.abs(period - wanted) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " lasts " + period + " ns, but has to last " + wanted);
            // A tick that is due before the one before it was published is late.
            long lateNanos = publishedNanosBefore - dueNanos - policy.maxLatenessNanos();
            check.that(
                    lateNanos <= ROUNDING_NANOS,
                    () -> "tick " + tick + " is by " + lateNanos + " ns later than " + policy + " allows");
        }
        long withoutStep = tick - tickBefore - 1; // in a pause, which is no even time
        if (ticks > 0 && tickBefore >= evenSince && rows.missed() == 0) {
            check.that(withoutStep == 0, () -> "tick " + tick + " comes after tick " + (tick - withoutStep - 1));
        }
        if (ticks == 0) {
            unread = tick - 1 - rows.missed(); // the first has the number 1
        }
        expectedDueNanos = dueNanos + period + rows.get(TickMetric.SKIPPED_NANOS);
        skippedNanos += rows.get(TickMetric.SKIPPED_NANOS);
        slowedNanos += rows.get(TickMetric.SLOWED_NANOS);
        tickBefore = tick;
        ticks++;
        publishedNanosBefore = rows.get(TickMetric.PUBLISHED_NANOS);
    }

    /**
     * Compares the sums of all rows with the counts of the service. The last tick may be a greater number, because commands in pauses are
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
