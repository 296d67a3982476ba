package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.child.BusyCores;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Set;

/** Another process on every core that never waits: ticks and frames have to get theirs from the operating system. */
final class CoresBusy implements Scenario {

    private static final int BODIES = 1000;
    private static final long FPS = 144;

    /** A child that outlives the scenario is ended with it; this is for when nobody ends it. */
    private static final int SPARE_SECONDS = 120;

    @Override
    public String name() {
        return "cores-busy";
    }

    @Override
    public String says() {
        return "every core is kept busy by another process";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public boolean delaysTicks() {
        return true; // ticks wait for a core that another process has
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        int seconds = (int) (trial.lengthNanos() / 1_000_000_000L) + SPARE_SECONDS;
        try (BusyCores busy = BusyCores.start(seconds);
                WatchedService service = WatchedService.start(trial, world, builder -> builder)) {
            service.readBy(world, FPS);
            service.readBy(world, FPS / 2);
            service.awaitEnd();
            busy.requireRunning();
        }
    }
}
