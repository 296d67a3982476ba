package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks, by the metrics of each tick, that the time of executed ticks, skipped time and slowed time add up. One thread must call {@link
 * #look} every few seconds, before metrics are overwritten.
 *
 * <p>While nobody changes the speed of time, the length of a tick follows from the rate and the speed. Its due time is the previous tick's
 * due time plus the previous tick's length, plus the time that was skipped and slowed down between them.
 */
final class TickCheck implements Part {

    /** Due times that are computed from different origins differ by rounding, at most by this. */
    private static final long ROUNDING_NANOS = 2_000;

    private final Check check;
    private final boolean isPlanted;
    private final LateTicks policy;
    private final NanoClock clock;

    @SuppressWarnings("NullAway.Init")
    private TickingWorld physics;

    @SuppressWarnings("NullAway.Init")
    private MetricRing<TickMetric>.Reader rows;

    // Used by the physics thread only.
    private long steppingNanos;

    // The number of published ticks. The physics thread alone writes it, any thread reads it. No other data depends on
    // this write.
    private final AtomicLong published = new AtomicLong();

    // Volatile: the thread that changes the speed writes evenPeriodNanos first and then evenSince. row() reads them in
    // the same order, so a change in between makes evenSince Long.MAX_VALUE or later than the tick.
    private volatile long evenPeriodNanos;
    private volatile long evenSince;

    private long tickBefore = Long.MIN_VALUE;
    private long expectedDueNanos;
    private long publishedNanosBefore;
    private long skippedNanos;
    private long slowedNanos;
    private long ticks;

    /** The number of ticks before the first row that this check has read. On a host, ticks begin before the check can read rows. */
    private long unread;

    TickCheck(Life life) {
        this(
                life.trial.check(Promise.TICKS_ADD_UP),
                life.trial.planted() == Promise.TICKS_ADD_UP,
                life.plan.lateTicks(),
                NanoClock.system());
    }

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
     * Checks the order of a tick's instants, because everything else is computed from them. They must also fit the instants that this check
     * itself has read from the clock.
     */
    @Override
    public void published(TickHook.Times tick) {
        if (tick.startedNanos() > steppingNanos
                || tick.steppedNanos() < steppingNanos
                || tick.publishedNanos() < tick.steppedNanos()
                || tick.publishedNanos() > clock.nanoTime()) {
            check.broken("tick " + tick.publishedTick() + " was said to start at " + tick.startedNanos()
                    + ", to have stepped at "
                    + tick.steppedNanos() + " and to be published at " + tick.publishedNanos()
                    + ", but its step was about to begin at " + steppingNanos + ", and this was read at "
                    + clock.nanoTime());
        }
        published.setRelease(published.getPlain() + 1);
    }

    long published() {
        return published.getAcquire();
    }

    /** Announces a change of the speed of time. Call it before the change. Any thread, but one at a time. */
    void changes() {
        evenSince = Long.MAX_VALUE;
    }

    /**
     * Declares that from tick {@code sinceTick} on, all ticks have the length {@code periodNanos}. Only for the thread that called {@link
     * #changes()}.
     */
    void even(long sinceTick, long periodNanos) {
        evenPeriodNanos = periodNanos;
        evenSince = sinceTick;
    }

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
        // EvenSince is read last, so that a change before this row shows.
        if (tick == tickBefore + 1 && tickBefore >= evenSince) {
            long planted = isPlanted ? period : 0;
            long difference = dueNanos + planted - rows.get(TickMetric.SLOWED_NANOS) - expectedDueNanos;
            check.that(
                    Math.abs(difference) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " was due " + difference
                            + " ns after the tick before, its period, and what was skipped and slowed down");
            check.that(
                    Math.abs(period - wanted) <= ROUNDING_NANOS,
                    () -> "tick " + tick + " lasts " + period + " ns, but has to last " + wanted);
            // If a tick is due before the previous tick is published, it is late. Its policy limits how late.
            long lateNanos = publishedNanosBefore - dueNanos - policy.maxLatenessNanos();
            check.that(
                    lateNanos <= ROUNDING_NANOS,
                    () -> "tick " + tick + " is by " + lateNanos + " ns later than " + policy + " allows");
        }
        // Ticks published in a pause have no step, but then time does not run evenly.
        long withoutStep = tick - tickBefore - 1;
        if (ticks > 0 && tickBefore >= evenSince && rows.missed() == 0) {
            check.that(withoutStep == 0, () -> "tick " + tick + " comes after tick " + (tick - withoutStep - 1));
        }
        if (ticks == 0) {
            unread = tick - 1 - rows.missed(); // tick numbers start at 1
        }
        expectedDueNanos = dueNanos + period + rows.get(TickMetric.SKIPPED_NANOS);
        skippedNanos += rows.get(TickMetric.SKIPPED_NANOS);
        slowedNanos += rows.get(TickMetric.SLOWED_NANOS);
        tickBefore = tick;
        ticks++;
        publishedNanosBefore = rows.get(TickMetric.PUBLISHED_NANOS);
    }

    /**
     * Compares the sums of all rows with the counts of the service. The last tick number may be greater than the number of rows, because
     * commands in a pause publish ticks without a step.
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
