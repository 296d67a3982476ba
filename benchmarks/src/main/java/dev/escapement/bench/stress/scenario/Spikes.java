package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.DeadlineModel;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.SlowWorld;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.LateTicks;
import java.util.Set;
import java.util.SplittableRandom;

/** A simulation that is fast but for one tick in a hundred, as when assets are loaded or something breaks into pieces. */
final class Spikes implements Scenario {

    private static final int BODIES = 100;
    private static final long FPS = 144;
    private static final long SEED = 18;
    private static final long EVERY = 100;
    private static final long FIRST = 5; // so that the shortest run has one
    private static final long SHORTEST_NANOS = 5_000_000;
    private static final long LONGEST_NANOS = 50_000_000;

    @Override
    public String name() {
        return "spikes";
    }

    @Override
    public String says() {
        return "one tick in a hundred takes 5 to 50 ms";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(
                Promise.ACCOUNTED,
                Promise.NUMBERED,
                Promise.NEVER_EARLY,
                Promise.DUE_BY_POLICY,
                Promise.GIVEN_UP_BY_POLICY);
    }

    @Override
    public void run(Trial trial) {
        SplittableRandom random = new SplittableRandom(SEED);
        SlowWorld world = new SlowWorld(
                BODIES, tick -> tick % EVERY == FIRST ? random.nextLong(SHORTEST_NANOS, LONGEST_NANOS) : 0);
        DeadlineModel model = new DeadlineModel(trial, LateTicks.skip());
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder, model)) {
            model.watch(service.service());
            service.readBy(world, FPS);
            service.awaitEnd();
        }
    }
}
