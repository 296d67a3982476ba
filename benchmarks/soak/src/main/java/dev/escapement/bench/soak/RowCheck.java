package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;

/**
 * Reads the row of each tick: adds up due times, and records how late and how long ticks were. One thread, at least every few seconds.
 *
 * <p>Where nobody changes the speed of time, a tick is as long as the rate and the speed say, and due this period, what was skipped and what
 * was slowed down since the tick before.
 */
final class RowCheck {

    /** Due times are rounded from different origins. */
    private static final long ROUNDING_NANOS = 2_000;

    private final Trial trial;
    private final TickingWorld physics;
    private final LifePlan plan;
    private final Measures measures;
    private final MetricRing<TickMetric>.Reader rows;

    // Volatile: another thread writes them, the period first, and row() reads it first.
    private volatile long evenPeriodNanos;
    private volatile long evenSince;

    private long tickBefore = Long.MIN_VALUE;
    private long expectedDueNanos;
    private long publishedNanosBefore;
    private long skippedNanos;
    private long slowedNanos;
    private long ticks;

    /** How many ticks there were before the first row: those of a host begin before somebody can read them. */
    private long unread;

    RowCheck(Trial trial, TickingWorld physics, LifePlan plan, Measures measures) {
        this.trial = trial;
        this.physics = physics;
        this.plan = plan;
        this.measures = measures;
        rows = physics.tickMetrics().newReader();
        evenPeriodNanos = physics.rate().nanosAt(1);
    }

    /** Time changes from now on. Before it does; by one thread at a time, any. */
    void changes() {
        evenSince = Long.MAX_VALUE;
    }

    /** Time runs evenly since this tick, and each lasts for so long. By the thread that called {@link #changes()}. */
    void even(long sinceTick, long periodNanos) {
        evenPeriodNanos = periodNanos;
        evenSince = sinceTick;
    }

    /** Since which tick time runs evenly; the greatest number while it changes. */
    long evenSince() {
        return evenSince;
    }

    void look() {
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
            long planted = trial.isPlanted(Promise.TICKS_ADD_UP) ? period : 0;
            long difference = dueNanos + planted - rows.get(TickMetric.SLOWED_NANOS) - expectedDueNanos;
            trial.check(Promise.TICKS_ADD_UP)
                    .that(
                            Math.abs(difference) <= ROUNDING_NANOS,
                            () -> "tick " + tick + " was due " + difference
                                    + " ns after the tick before, its period, and what was"
                                    + " skipped and slowed down");
            trial.check(Promise.TICKS_ADD_UP)
                    .that(
                            Math.abs(period - wanted) <= ROUNDING_NANOS,
                            () -> "tick " + tick + " lasts " + period + " ns, but has to last " + wanted);
            checkLate(tick, dueNanos);
        }
        long withoutStep = tick - tickBefore - 1; // in a pause, which is no even time
        if (ticks > 0 && tickBefore >= evenSince && rows.missed() == 0) {
            trial.check(Promise.TICKS_ADD_UP)
                    .that(withoutStep == 0, () -> "tick " + tick + " comes after tick " + (tick - withoutStep - 1));
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
        measures.tick(
                rows.get(TickMetric.STARTED_NANOS) - dueNanos,
                publishedNanosBefore - dueNanos,
                rows.get(TickMetric.STEPPED_NANOS) - rows.get(TickMetric.STARTED_NANOS));
    }

    /** A tick that is due before the one before it was published is late. The policy of the life bounds by how much. */
    private void checkLate(long tick, long dueNanos) {
        LateTicks policy = plan.lateTicks();
        long lateNanos = publishedNanosBefore - dueNanos - policy.maxLatenessNanos();
        trial.check(Promise.TICKS_ADD_UP)
                .that(
                        lateNanos <= ROUNDING_NANOS,
                        () -> "tick " + tick + " is by " + lateNanos + " ns later than " + policy + " allows");
    }

    /**
     * Compares the sums of all rows with the counts of the service, which has ended. The last tick may be a greater number, because commands in
     * pauses are published without a step.
     */
    void end(long published, long lastTick) {
        look();
        trial.check(Promise.TICKS_ADD_UP)
                .that(
                        unread + ticks + rows.missed() == published && lastTick >= published,
                        () -> "there are rows of " + ticks + " ticks, " + rows.missed() + " were missed, " + published
                                + " were published, the last is " + lastTick);
        if (unread + rows.missed() == 0) {
            trial.check(Promise.TICKS_ADD_UP)
                    .that(
                            slowedNanos <= physics.slowedNanos() && skippedNanos <= physics.skippedNanos(),
                            () -> "ticks skipped " + skippedNanos + " ns of " + physics.skippedNanos()
                                    + " and slowed down " + slowedNanos + " of " + physics.slowedNanos());
        }
    }
}
