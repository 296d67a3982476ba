package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.SplittableRandom;

/** What readers do: nothing special, stall, never let go, come and go. */
final class ReaderScenarios {

    private static final int BODIES = 200;
    private static final int STALLING = 3;
    private static final long SHORTEST_STALL_NANOS = 10_000_000;
    private static final long LONGEST_STALL_NANOS = 5_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;
    private static final int VISITORS = 8;
    private static final int VISITED_WINDOWS = 12;
    private static final long FASTEST_NANOS = 500_000;

    private ReaderScenarios() {}

    /** Nothing but ticks of a small world and one reader: what the machine does when it is left alone. */
    static Scenario idle() {
        return new Scenario(
                "idle",
                "100 bodies and one reader at 144 frames a second, nothing else",
                CheckingReader.promises(Promise.ACCOUNTED),
                trial -> WatchedService.run(trial, new PredictableWorld(100), builder -> builder, service -> {}));
    }

    /** Renderers that hold their window for long, as when they load, compile shaders, or are swapped out. */
    static Scenario rendererStalls() {
        return new Scenario(
                "renderer-stalls",
                "three readers hold their window for 10 ms to 5 s, one goes on",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.TICKS_GO_ON),
                trial -> {
                    long longestNanos =
                            Math.max(2 * SHORTEST_STALL_NANOS, Math.min(LONGEST_STALL_NANOS, trial.lengthNanos() / 2));
                    PredictableWorld world = new PredictableWorld(BODIES);
                    WatchedService.run(trial, world, builder -> builder.maxReaders(STALLING + 1), service -> {
                        Worker stalling = Worker.start(STALLING, "stress-worker", (self, index) -> {
                            SplittableRandom random = new SplittableRandom(index);
                            CheckingReader reader = service.newReader(world);
                            while (self.goesOn()) {
                                reader.take();
                                Polling.pass(random.nextLong(SHORTEST_STALL_NANOS, longestNanos));
                                service.checkTicksGoOn();
                                reader.checkHeld();
                            }
                        });
                        try (stalling) {
                            service.awaitEnd();
                        }
                    });
                });
    }

    /** A reader that takes one window and keeps it to the end, as one that a debugger has stopped. */
    static Scenario readerNeverLetsGo() {
        return new Scenario(
                "reader-never-lets-go",
                "one reader keeps its first window to the end, another goes on",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.TICKS_GO_ON),
                trial -> {
                    PredictableWorld world = new PredictableWorld(BODIES);
                    WatchedService.run(trial, world, builder -> builder.maxReaders(2), service -> {
                        CheckingReader reader = service.newReader(world);
                        Worker.during(
                                1,
                                unused -> {
                                    if (reader.keep()) {
                                        service.checkTicksGoOn();
                                    }
                                    Polling.pass(LOOK_NANOS);
                                },
                                service::awaitEnd);
                    });
                });
    }

    /** Eight readers that attach, take some windows at a rate of their own, and leave. */
    static Scenario readersComeAndGo() {
        return new Scenario(
                "readers-come-and-go",
                "eight readers attach, take twelve windows every 0.5 to 64 ms, and leave",
                CheckingReader.promises(Promise.ACCOUNTED),
                trial -> {
                    PredictableWorld world = new PredictableWorld(BODIES);
                    WatchedService.run(
                            trial,
                            world,
                            builder -> builder.maxReaders(VISITORS + 1),
                            service -> Worker.during(
                                    VISITORS, visitor -> visit(service, world, visitor), service::awaitEnd));
                });
    }

    private static void visit(WatchedService service, PredictableWorld world, int visitor) {
        try (CheckingReader reader = service.newReader(world)) {
            for (int window = 0; window < VISITED_WINDOWS; window++) {
                reader.take();
                Polling.pass(FASTEST_NANOS << visitor);
            }
        }
    }
}
