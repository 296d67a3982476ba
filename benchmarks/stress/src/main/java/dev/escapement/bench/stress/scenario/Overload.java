package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickListener;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;

/** Steps that take too long, always or now and then: what ticks are due and what is given up is what the policy for late ticks says. */
final class Overload {

    private static final int BODIES = 100;
    private static final long OVERLOAD_SEED = 17;
    private static final long SPIKES_SEED = 18;
    private static final long SHORTEST_NANOS = 5_000_000;
    private static final long LONGEST_NANOS = 30_000_000;
    private static final long LONGEST_SPIKE_NANOS = 50_000_000;
    private static final long SPIKE_EVERY = 100;
    private static final long FIRST_SPIKE = 5; // so that the shortest run has one

    private Overload() {}

    /** A simulation that is too slow for its rate: what has to be given up is what the policy for late ticks says, nothing else. */
    static Scenario scenario(LateTicks lateTicks) {
        LateTicks.Policy policy = lateTicks.policy();
        String name = policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Set<Promise> promises = promises();
        if (policy == LateTicks.Policy.DELAY) {
            promises.remove(Promise.ACCOUNTED); // without a phase, deadlines cannot be counted from outside
        }
        Scenario overload = new Scenario(
                "overload-" + name, "steps of 0.5 to 3 ticks, late ticks by the policy " + name, promises, trial -> {
                    SplittableRandom random = new SplittableRandom(OVERLOAD_SEED);
                    PhysicsService closed =
                            runSlow(trial, lateTicks, tick -> random.nextLong(SHORTEST_NANOS, LONGEST_NANOS));
                    trial.figure(Figure.info("deadlines given up", (double) closed.givenUpTicks(), "ticks"));
                });
        // Those that catch up, or try to. The others choose the next deadline when they know how long the tick took.
        return policy == LateTicks.Policy.BURST || policy == LateTicks.Policy.RUN_ALL
                ? overload.delayingTicks()
                : overload;
    }

    /** A simulation that is fast but for one tick in a hundred, as when assets are loaded or something breaks into pieces. */
    static Scenario spikes() {
        return new Scenario("spikes", "one tick in a hundred takes 5 to 50 ms", promises(), trial -> {
            SplittableRandom random = new SplittableRandom(SPIKES_SEED);
            runSlow(
                    trial,
                    LateTicks.skip(),
                    tick -> tick % SPIKE_EVERY == FIRST_SPIKE
                            ? random.nextLong(SHORTEST_NANOS, LONGEST_SPIKE_NANOS)
                            : 0);
        });
    }

    private static Set<Promise> promises() {
        return CheckingReader.promises(
                Promise.ACCOUNTED,
                Promise.NUMBERED,
                Promise.NEVER_EARLY,
                Promise.DUE_BY_POLICY,
                Promise.GIVEN_UP_BY_POLICY);
    }

    private static PhysicsService runSlow(Trial trial, LateTicks lateTicks, LongUnaryOperator stepNanos) {
        PredictableWorld world =
                new PredictableWorld(BODIES, tick -> Polling.spin(stepNanos.applyAsLong(tick.number())));
        DeadlineModel model = new DeadlineModel(trial, lateTicks);
        try (WatchedService service =
                new WatchedService(trial, world, builder -> builder.lateTicks(lateTicks), model)) {
            model.watch(service.service());
            service.readBy(world, WatchedService.FPS);
            service.awaitEnd();
            return service.service();
        }
    }

    /**
     * Knows of a service at 100 Hz nothing but its policy and when each tick was published, and says from this when the next one is
     * due, and what is given up: with a period of whole nanoseconds that is school arithmetic.
     *
     * <p>Called on the physics thread. States {@link Promise#DUE_BY_POLICY} and {@link Promise#GIVEN_UP_BY_POLICY}.
     */
    private static final class DeadlineModel implements TickListener {

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
        DeadlineModel(Trial trial, LateTicks lateTicks) {
            this.trial = trial;
            this.lateTicks = lateTicks;
            due = trial.check(Promise.DUE_BY_POLICY);
            givenUp = trial.check(Promise.GIVEN_UP_BY_POLICY);
        }

        /** From now on also compares what this service counts, on the physics thread, where it is exact. Any thread. */
        void watch(PhysicsService running) {
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
}
