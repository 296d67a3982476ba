package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.child.OneCore;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Set;

/** Physics and readers share one core: no two of them ever run at the same time, and whoever spins takes it from the others. */
final class SingleCore implements Scenario {

    private static final int BODIES = 1000;
    private static final long[] FPS = {144, 60, 30};

    /** In a JVM that has one. */
    static Scenario inChild() {
        return new InChild(new SingleCore(), new OneCore());
    }

    @Override
    public String name() {
        return "one-core";
    }

    @Override
    public String says() {
        return "physics and three readers on a single core (taskset), in a JVM of its own";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public boolean delaysTicks() {
        return true; // ticks wait for the core that a reader has
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(FPS.length))) {
            for (long fps : FPS) {
                service.readBy(world, fps);
            }
            service.awaitEnd();
        }
    }
}
