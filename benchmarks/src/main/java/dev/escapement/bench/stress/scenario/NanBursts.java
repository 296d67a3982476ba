package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.FaultyPoses;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Set;

/** An engine that blows up: bursts of poses that are not finite. */
final class NanBursts implements Scenario {

    private static final int BODIES = 700;
    private static final long FPS = 144;

    @Override
    public String name() {
        return "nan-bursts";
    }

    @Override
    public String says() {
        return "a seventh of 700 bodies is at NaN or infinity for 10 of 25 ticks";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.QUARANTINED);
    }

    @Override
    public void run(Trial trial) {
        FaultyPoses world = new FaultyPoses(BODIES);
        WatchedService service = WatchedService.start(trial, world, builder -> builder);
        try (service) {
            service.readBy(world, FPS);
            service.awaitEnd();
        }
        long counted = service.service().quarantinedPoses() + (trial.isPlanted(Promise.QUARANTINED) ? 1 : 0);
        trial.check(Promise.QUARANTINED)
                .that(counted == world.faults(), () -> counted + " were counted, " + world.faults() + " were faulty");
    }
}
