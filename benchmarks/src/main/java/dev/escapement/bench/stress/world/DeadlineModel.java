package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickListener;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Knows of a service at 100 Hz nothing but its policy and when each tick was published, and says from this when the next one is
 * due, and what is given up: with a period of whole nanoseconds that is school arithmetic.
 *
 * <p>Called on the physics thread. States {@link Promise#DUE_BY_POLICY} and {@link Promise#GIVEN_UP_BY_POLICY}.
 */
public final class DeadlineModel implements TickListener {

    private static final long PERIOD_NANOS = 10_000_000;

    private final Trial trial;
    private final LateTicks lateTicks;
    private final Check due;
    private final Check givenUp;

    // Volatile: who sees the service sees all of it. Null for the first ticks.
    private final AtomicReference<PhysicsService> service = new AtomicReference<>();

    private long ticks;
    private long nextDueNanos;
    private long givenUpTicks;
    private long givenUpNanos;
    private int inARow;

    /** A model of a service with this policy. */
    public DeadlineModel(Trial trial, LateTicks lateTicks) {
        this.trial = trial;
        this.lateTicks = lateTicks;
        due = trial.check(Promise.DUE_BY_POLICY);
        givenUp = trial.check(Promise.GIVEN_UP_BY_POLICY);
    }

    /** From now on also compares what this service counts, on the physics thread, where it is exact. Any thread. */
    public void watch(PhysicsService running) {
        service.set(running);
    }

    @Override
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        if (ticks++ > 0) {
            long saidNanos = trial.isPlanted(Promise.DUE_BY_POLICY) ? dueNanos + 1 : dueNanos;
            long expectedNanos = nextDueNanos;
            due.that(
                    saidNanos == expectedNanos,
                    () -> "tick " + tick + " was due " + (saidNanos - expectedNanos)
                            + " ns after the policy's due time");
        }
        finish(dueNanos, publishedNanos);
        PhysicsService counts = service.get();
        if (counts != null) {
            compare(tick, counts);
        }
    }

    private void finish(long dueNanos, long publishedNanos) {
        nextDueNanos = dueNanos + PERIOD_NANOS;
        long lateNanos = publishedNanos - nextDueNanos;
        if (lateNanos <= 0) {
            inARow = 0;
            return;
        }
        // A deadline has passed when it lies before the publish, and not when it coincides with it.
        long missed = (lateNanos - 1) / PERIOD_NANOS + 1;
        switch (lateTicks.policy()) {
            case SKIP -> giveUp(missed);
            case BURST -> {
                if (++inARow == lateTicks.mostInARow()) {
                    inARow = 0;
                    giveUp(missed);
                }
            }
            case DELAY -> {
                nextDueNanos = publishedNanos;
                givenUpTicks += missed - 1;
                givenUpNanos += lateNanos;
            }
            case RUN_ALL -> {
                // behind, but nothing is given up
            }
        }
    }

    private void giveUp(long missed) {
        nextDueNanos += missed * PERIOD_NANOS;
        givenUpTicks += missed;
        givenUpNanos += missed * PERIOD_NANOS;
    }

    private void compare(long tick, PhysicsService counts) {
        long expectedTicks = trial.isPlanted(Promise.GIVEN_UP_BY_POLICY) ? givenUpTicks + 1 : givenUpTicks;
        long expectedNanos = givenUpNanos;
        givenUp.that(
                counts.givenUpTicks() == expectedTicks && counts.givenUpNanos() == expectedNanos,
                () -> "after tick " + tick + ", " + counts.givenUpTicks() + " ticks and " + counts.givenUpNanos()
                        + " ns are given up, and not " + expectedTicks + " and " + expectedNanos);
    }
}
