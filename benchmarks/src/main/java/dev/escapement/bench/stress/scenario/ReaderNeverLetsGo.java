package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.TicksGoOn;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.Set;

/** A reader that takes one window and keeps it to the end, as one that a debugger has stopped. */
final class ReaderNeverLetsGo implements Scenario {

    private static final int BODIES = 200;
    private static final long FPS = 144;
    private static final long LOOK_NANOS = 20_000_000;

    @Override
    public String name() {
        return "reader-never-lets-go";
    }

    @Override
    public String says() {
        return "one reader keeps its first window to the end, another goes on";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.TICKS_GO_ON);
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(2))) {
            service.readBy(world, FPS);
            SnapshotReader keeping = service.service().newReader();
            CheckingReader reader = new CheckingReader(trial, service::published, keeping, world);
            Workers.during(
                    1,
                    unused -> {
                        if (keeping.hasWindow()) {
                            TicksGoOn.check(trial, service);
                            reader.checkHeld();
                        } else {
                            reader.take();
                        }
                        Patience.pass(LOOK_NANOS);
                    },
                    service::awaitEnd);
        }
    }
}
