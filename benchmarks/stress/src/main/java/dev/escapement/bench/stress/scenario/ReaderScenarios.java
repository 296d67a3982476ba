package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.SplittableRandom;

/** Scenarios of readers: a single usual one; or some that never release a window, stall, attach and detach, all together. */
final class ReaderScenarios {

    private static final int BODIES = 200;
    private static final long SHORTEST_STALL_NANOS = 10_000_000;
    private static final long LONGEST_STALL_NANOS = 5_000_000_000L;
    private static final int STALLING = 2; // after the one that never releases, before the visitors
    private static final int OTHERS = 8;
    private static final int VISITED_WINDOWS = 12;
    private static final long FASTEST_NANOS = 500_000;

    private ReaderScenarios() {}

    /** Only ticks of a small world and one reader: the machine without load. */
    static Scenario idle() {
        return new Scenario(
                "idle",
                "100 bodies and one reader at 144 frames a second, nothing else",
                CheckingReader.promises(Promise.ACCOUNTED),
                trial -> WatchedService.run(trial, new PredictableWorld(100), builder -> builder, service -> {}));
    }

    /** Readers of every kind. Renderers hold their window for long when they load, compile shaders, or are stopped by a debugger. */
    static Scenario readers() {
        return new Scenario(
                "readers",
                "one reader never releases, two hold their window for 10 ms to 5 s, five attach and detach, one reads on",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.TICKS_CONTINUE),
                trial -> {
                    long longestNanos =
                            Math.max(2 * SHORTEST_STALL_NANOS, Math.min(LONGEST_STALL_NANOS, trial.lengthNanos() / 2));
                    PredictableWorld world = new PredictableWorld(BODIES);
                    WatchedService.run(trial, world, builder -> builder.maxReaders(OTHERS + 1), service -> {
                        Worker others = Worker.start(OTHERS, "stress-reader", (self, index) -> {
                            if (index <= STALLING) {
                                stall(self, service, service.newReader(world), index == 0, longestNanos);
                            } else {
                                comeAndGo(self, service, world, FASTEST_NANOS << index);
                            }
                        });
                        try (others) {
                            service.awaitEnd();
                        }
                    });
                });
    }

    private static void stall(
            Worker self, WatchedService service, CheckingReader reader, boolean keeps, long longestNanos) {
        SplittableRandom random = new SplittableRandom(longestNanos);
        while (self.isRunning()) {
            if (!keeps || !reader.checkHeld()) {
                reader.take();
            }
            Polling.await(random.nextLong(SHORTEST_STALL_NANOS, longestNanos), () -> !self.isRunning());
            service.checkTicksResume();
        }
        reader.close();
    }

    private static void comeAndGo(Worker self, WatchedService service, PredictableWorld world, long everyNanos) {
        while (self.isRunning()) {
            try (CheckingReader reader = service.newReader(world)) {
                for (int window = 0; window < VISITED_WINDOWS && self.isRunning(); window++) {
                    reader.take();
                    Polling.pass(everyNanos);
                }
            }
        }
    }
}
