package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.DeadlineModel;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.SlowWorld;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.LateTicks;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/** A simulation that is too slow for its rate: what has to be given up is what the policy for late ticks says, nothing else. */
record Overload(LateTicks lateTicks) implements Scenario {

    private static final int BODIES = 100;
    private static final long FPS = 144;
    private static final long SEED = 17;
    private static final long SHORTEST_NANOS = 5_000_000;
    private static final long LONGEST_NANOS = 30_000_000;

    @Override
    public String name() {
        return "overload-" + policy();
    }

    @Override
    public String says() {
        return "steps of 0.5 to 3 ticks, late ticks by the policy " + policy();
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(
                Promise.NUMBERED, Promise.NEVER_EARLY, Promise.DUE_BY_POLICY, Promise.GIVEN_UP_BY_POLICY);
        if (lateTicks.policy() != LateTicks.Policy.DELAY) {
            promises.add(Promise.ACCOUNTED); // without a phase, deadlines cannot be counted from outside
        }
        return promises;
    }

    /** Of those that catch up, or try to. The others choose the next deadline when they know how long the tick took. */
    @Override
    public boolean delaysTicks() {
        return lateTicks.policy() == LateTicks.Policy.BURST || lateTicks.policy() == LateTicks.Policy.RUN_ALL;
    }

    @Override
    public void run(Trial trial) {
        SplittableRandom random = new SplittableRandom(SEED);
        SlowWorld world = new SlowWorld(BODIES, tick -> random.nextLong(SHORTEST_NANOS, LONGEST_NANOS));
        DeadlineModel model = new DeadlineModel(trial, lateTicks);
        try (WatchedService service =
                WatchedService.start(trial, world, builder -> builder.lateTicks(lateTicks), model)) {
            model.watch(service.service());
            service.readBy(world, FPS);
            service.awaitEnd();
            trial.figure(
                    Figure.info("deadlines given up", (double) service.service().givenUpTicks(), "ticks"));
        }
    }

    private String policy() {
        return lateTicks.policy().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
