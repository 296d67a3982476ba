package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.Set;

/** Eight readers that attach, take some windows at a rate of their own, and leave. */
final class ReadersComeAndGo implements Scenario {

    private static final int BODIES = 200;
    private static final int READERS = 8;
    private static final int WINDOWS = 12;
    private static final long FPS = 144;
    private static final long FASTEST_NANOS = 500_000;

    @Override
    public String name() {
        return "readers-come-and-go";
    }

    @Override
    public String says() {
        return "eight readers attach, take twelve windows every 0.5 to 64 ms, and leave";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(READERS + 1))) {
            service.readBy(world, FPS);
            Workers.during(READERS, worker -> visit(trial, service, world, worker), service::awaitEnd);
        }
    }

    private static void visit(Trial trial, WatchedService service, PredictableWorld world, int worker) {
        try (SnapshotReader reader = service.service().newReader()) {
            CheckingReader checking = new CheckingReader(trial, service::published, reader, world);
            for (int window = 0; window < WINDOWS; window++) {
                checking.take();
                Patience.pass(FASTEST_NANOS << worker);
            }
        }
    }
}
