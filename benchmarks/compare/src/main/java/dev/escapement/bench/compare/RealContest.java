package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.Pacer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs contestants on real threads, whose steps and frames work as long as they are said to. */
final class RealContest {

    private static final WorkClock CLOCK = WorkClock.busy();

    private final int warmUpSeconds;
    private final int measuredSeconds;
    private final List<GivenUpTicks> givenUp = new ArrayList<>();
    private long startNanos;

    /** Contestants are measured for so long after so long. */
    RealContest(int warmUpSeconds, int measuredSeconds) {
        this.warmUpSeconds = warmUpSeconds;
        this.measuredSeconds = measuredSeconds;
    }

    /** Measures them all, after one for the JIT compiler. */
    RealComparison measureAll(List<Case> cases, Runnable afterEach) {
        List<Result> results = new ArrayList<>();
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            measure(new Case(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144));
            givenUp.clear();
            afterEach.run();
            for (Case run : cases) {
                results.add(measure(run));
                afterEach.run();
            }
        }
        Reasons reasons = givenUp.stream().map(ticks -> ticks.reasons(witness)).reduce(Reasons.NONE, Reasons::plus);
        return new RealComparison(
                warmUpSeconds,
                measuredSeconds,
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                reasons.machineVerdict(0, witness.awayMillis(), "the loads of 'compare' are meant for a faster core"),
                results);
    }

    private Result measure(Case run) {
        ExecutorService beside = Executors.newSingleThreadExecutor(); // has no thread until it is used
        Scene scene = new Scene(run.load(), CLOCK);
        startNanos = System.nanoTime();
        try (GameLoop loop = run.contestant().loop(new GameLoops(run, scene, CLOCK, this::twoThreads, beside))) {
            long endNanos = TimeUnit.SECONDS.toNanos(warmUpSeconds + measuredSeconds);
            return loop.measure(
                    run, new GameLoop.Session(CLOCK, Pacer.system()::awaitUntil, startNanos, warmUpSeconds, endNanos));
        } finally {
            beside.shutdown();
        }
    }

    private GameLoop twoThreads(GameLoops loops, int windowSize, Function<SnapshotReader, Picture> drawing) {
        GivenUpTicks ticks = new GivenUpTicks(loops.rate().nanosAt(1));
        givenUp.add(ticks);
        PhysicsService physics = PhysicsService.builder(loops.scene())
                .rate(loops.rate())
                .windowSize(windowSize)
                .maxReaders(1)
                .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) ->
                        ticks.ticked(dueNanos, startedNanos, System.nanoTime()))
                .start();
        startNanos = physics.startedAtNanos();
        Picture picture = drawing.apply(physics.newReader());
        GameLoop.Frame frame = (beginNanos, displayNanos) -> {
            picture.frame(beginNanos, displayNanos);
            CLOCK.spend(LoadProfile.DRAW_NANOS);
        };
        return new GameLoop(picture, frame, physics::close);
    }
}
