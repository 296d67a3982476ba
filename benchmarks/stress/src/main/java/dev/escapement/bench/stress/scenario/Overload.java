package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.PhysicsService;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/** A simulation that is too slow for its rate. What is due when by each policy is proved without threads: {@code TickScheduleTest}. */
final class Overload {

    private static final int BODIES = 100;
    private static final long SEED = 17;
    private static final long SHORTEST_NANOS = 5_000_000;
    private static final long LONGEST_NANOS = 30_000_000;

    private Overload() {}

    static Scenario scenario(LateTicks lateTicks) {
        LateTicks.Policy policy = lateTicks.policy();
        String name = policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Set<Promise> promises = CheckingReader.promises(Promise.ACCOUNTED, Promise.NUMBERED, Promise.NEVER_EARLY);
        if (policy == LateTicks.Policy.DELAY) {
            promises.remove(Promise.ACCOUNTED); // without a phase, deadlines cannot be counted from outside
        }
        // Those that catch up, or try to. The others choose the next deadline when they know how long the tick took.
        boolean delaysTicks = policy == LateTicks.Policy.BURST || policy == LateTicks.Policy.RUN_ALL;
        String says = "steps of 0.5 to 3 ticks, late ticks by the policy " + name;
        return new Scenario("overload-" + name, says, promises, delaysTicks, trial -> {
            SplittableRandom random = new SplittableRandom(SEED);
            PredictableWorld slow =
                    new PredictableWorld(BODIES, tick -> Polling.spin(random.nextLong(SHORTEST_NANOS, LONGEST_NANOS)));
            PhysicsService closed =
                    WatchedService.run(trial, slow, builder -> builder.lateTicks(lateTicks), service -> {});
            trial.figure(Figure.info("deadlines given up", (double) closed.givenUpTicks(), "ticks"));
        });
    }
}
