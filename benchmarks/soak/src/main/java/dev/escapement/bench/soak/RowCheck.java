package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.function.LongSupplier;

/**
 * Reads the row of each tick: adds up due times, and records how late and how long ticks were. One thread, at least every few seconds.
 *
 * <p>Where nobody changes the speed of time, a tick is due one period, what was skipped and what was slowed down after the tick before.
 */
final class RowCheck {

    /** Due times are rounded from different origins. */
    private static final long ROUNDING_NANOS = 2_000;

    private final Trial trial;
    private final PhysicsService physics;
    private final LongSupplier evenSince;
    private final Measures measures;
    private final MetricRing<TickMetric>.Reader rows;
    private long tickBefore = Long.MIN_VALUE;
    private long expectedDueNanos;
    private long skippedNanos;
    private long slowedNanos;
    private long ticks;

    /** How many ticks there were before the first row: those of a host begin before somebody can read them. */
    private long unread;

    /** @param evenSince since which tick nobody changes the speed of time */
    RowCheck(Trial trial, PhysicsService physics, LongSupplier evenSince, Measures measures) {
        this.trial = trial;
        this.physics = physics;
        this.evenSince = evenSince;
        this.measures = measures;
        rows = physics.tickMetrics().newReader();
    }

    void look() {
        while (rows.next()) {
            row();
        }
    }

    private void row() {
        long tick = rows.get(TickMetric.TICK);
        long dueNanos = rows.get(TickMetric.DUE_NANOS);
        if (tick == tickBefore + 1
                && tickBefore >= evenSince.getAsLong()) { // read after the row: any change came before
            long planted = trial.isPlanted(Promise.TICKS_ADD_UP) ? rows.get(TickMetric.PERIOD_NANOS) : 0;
            long difference = dueNanos + planted - expectedDueNanos;
            trial.check(Promise.TICKS_ADD_UP)
                    .that(
                            Math.abs(difference) <= ROUNDING_NANOS,
                            () -> "tick " + tick + " was due " + difference
                                    + " ns after the tick before, its period, and what was"
                                    + " skipped and slowed down");
        }
        if (ticks == 0) {
            unread = tick - 1 - rows.missed(); // the first has the number 1
        }
        expectedDueNanos = dueNanos
                + rows.get(TickMetric.PERIOD_NANOS)
                + rows.get(TickMetric.SKIPPED_NANOS)
                + rows.get(TickMetric.SLOWED_NANOS);
        skippedNanos += rows.get(TickMetric.SKIPPED_NANOS);
        slowedNanos += rows.get(TickMetric.SLOWED_NANOS);
        tickBefore = tick;
        ticks++;
        measures.tick(
                rows.get(TickMetric.STARTED_NANOS) - dueNanos,
                rows.get(TickMetric.PUBLISHED_NANOS) - dueNanos,
                rows.get(TickMetric.STEPPED_NANOS) - rows.get(TickMetric.STARTED_NANOS));
    }

    /** Compares the sums of all rows with the counts of the service, which has ended. */
    void end(long published) {
        look();
        trial.check(Promise.TICKS_ADD_UP)
                .that(
                        unread + ticks + rows.missed() == published && physics.lastTick() == published,
                        () -> "there are rows of " + ticks + " ticks, " + rows.missed() + " were missed, " + published
                                + " were published, the last is " + physics.lastTick());
        if (unread + rows.missed() == 0) {
            trial.check(Promise.TICKS_ADD_UP)
                    .that(
                            slowedNanos == physics.slowedNanos() && skippedNanos <= physics.skippedNanos(),
                            () -> "ticks skipped " + skippedNanos + " ns of " + physics.skippedNanos()
                                    + " and slowed down " + slowedNanos + " of " + physics.slowedNanos());
        }
    }
}
