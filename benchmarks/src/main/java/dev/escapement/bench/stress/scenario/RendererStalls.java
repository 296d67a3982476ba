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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Renderers that hold their window for long, as when they load, compile shaders, or are swapped out. */
final class RendererStalls implements Scenario {

    private static final int BODIES = 200;
    private static final int STALLING = 3;
    private static final long FPS = 144;
    private static final long SHORTEST_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 5_000_000_000L;

    @Override
    public String name() {
        return "renderer-stalls";
    }

    @Override
    public String says() {
        return "three readers hold their window for 10 ms to 5 s, one goes on";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.TICKS_GO_ON);
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        long longestNanos = Math.max(2 * SHORTEST_NANOS, Math.min(LONGEST_NANOS, trial.lengthNanos() / 2));
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(STALLING + 1))) {
            service.readBy(world, FPS);
            List<CheckingReader> readers = new ArrayList<>();
            List<SplittableRandom> randoms = new ArrayList<>();
            for (int i = 0; i < STALLING; i++) {
                readers.add(new CheckingReader(
                        trial, service::published, service.service().newReader(), world));
                randoms.add(new SplittableRandom(i));
            }
            Workers.during(
                    STALLING,
                    i -> {
                        readers.get(i).take();
                        Patience.pass(randoms.get(i).nextLong(SHORTEST_NANOS, longestNanos));
                        TicksGoOn.check(trial, service);
                        readers.get(i).checkHeld();
                    },
                    service::awaitEnd);
        }
    }
}
