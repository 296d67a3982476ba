package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Set;

/** Nothing but ticks of a small world and one reader: what the machine does when nobody disturbs it. */
final class Idle implements Scenario {

    private static final int BODIES = 100;
    private static final long FPS = 144;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String says() {
        return "100 bodies and one reader at 144 frames a second, nothing else";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder)) {
            service.readBy(world, FPS);
            service.awaitEnd();
        }
    }
}
