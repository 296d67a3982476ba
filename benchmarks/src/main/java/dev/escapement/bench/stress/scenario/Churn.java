package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CrowdWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.SeenBodies;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Set;

/** Thousands of bodies that come and as many that go, in every tick: slots are used again at once. */
final class Churn implements Scenario {

    private static final int BORN_PER_TICK = 2_000;
    private static final int LIFE_TICKS = 4;
    private static final long FPS = 60;

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String says() {
        return "2,000 bodies come and 2,000 go in every tick, 8,000 live";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.NEVER_REUSED);
    }

    @Override
    public void run(Trial trial) {
        CrowdWorld world = new CrowdWorld(BORN_PER_TICK, LIFE_TICKS);
        try (WatchedService service =
                WatchedService.start(trial, world, builder -> builder.preallocate((LIFE_TICKS + 1) * BORN_PER_TICK))) {
            service.readBy(world, FPS, new SeenBodies(trial));
            service.awaitEnd();
            trial.figure(Figure.info("grown blocks", (double) service.service().grownBlocks(), ""));
        }
    }
}
