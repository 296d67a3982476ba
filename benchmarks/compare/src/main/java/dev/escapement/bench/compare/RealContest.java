package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs contestants on real threads, with a crowd in the scene, whose steps are part of the load. */
final class RealContest {

    private static final WorkClock CLOCK = WorkClock.busy();

    private final Crowd crowd;
    private final int warmUpSeconds;
    private final int measuredSeconds;
    private final List<GivenUpTicks> givenUp = new ArrayList<>();

    /** Contestants run with such a crowd, for so long after so long. */
    RealContest(Crowd crowd, int warmUpSeconds, int measuredSeconds) {
        this.crowd = crowd;
        this.warmUpSeconds = warmUpSeconds;
        this.measuredSeconds = measuredSeconds;
    }

    /** Measures them all, after one for the JIT compiler, and one that all others are compared with. */
    RealComparison measureAll(List<Case> cases, Runnable afterEach) {
        List<RealResult> results = new ArrayList<>();
        Summary analytic;
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            measure(new Case(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144));
            givenUp.clear();
            afterEach.run();
            analytic = measureAnalytic().completionErrorMicros();
            afterEach.run();
            for (Case run : cases) {
                results.add(measure(run));
                afterEach.run();
            }
        }
        Reasons reasons = givenUp.stream().map(ticks -> ticks.reasons(witness)).reduce(Reasons.NONE, Reasons::plus);
        return new RealComparison(
                crowd.name(),
                warmUpSeconds,
                measuredSeconds,
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                analytic,
                reasons.total(),
                reasons.slow(),
                reasons.unexplained(),
                witness.awayMillis(),
                results);
    }

    RealResult measure(Case run) {
        ExecutorService beside = Executors.newSingleThreadExecutor(); // has no thread until it is used
        Scene scene = new Scene(run.load(), CLOCK, crowd.simulation().get(), crowd.bodies());
        try (GameLoop loop = run.contestant().loop(new GameLoops(run, scene, CLOCK, this::twoThreads, beside))) {
            return draw(run, loop);
        } finally {
            beside.shutdown();
        }
    }

    /** What is measured of a picture that is right by construction: the jitter of the frames alone. */
    RealResult measureAnalytic() {
        long startNanos = System.nanoTime();
        Picture picture = new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {
                drawn(displayNanos - startNanos, Ball.START_METRES);
            }
        };
        return draw(
                new Case(Contestant.SERVICE_3, LoadProfile.LIGHT, RefreshCase.FPS_144),
                new GameLoop(picture, OptionalLong.of(startNanos), drawing(picture), () -> {}));
    }

    private GameLoop twoThreads(GameLoops loops, int windowSize, Function<SnapshotReader, Picture> drawingOf) {
        GivenUpTicks ticks = new GivenUpTicks(loops.rate().nanosAt(1));
        givenUp.add(ticks);
        PhysicsService physics = PhysicsService.builder(loops.scene())
                .rate(loops.rate())
                .windowSize(windowSize)
                .maxReaders(1)
                .preallocate(loops.scene().ballSlot() + 1)
                .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) ->
                        ticks.ticked(dueNanos, startedNanos, System.nanoTime()))
                .start();
        Picture picture = drawingOf.apply(physics.newReader());
        return new GameLoop(picture, OptionalLong.of(physics.startedAtNanos()), drawing(picture), physics::close);
    }

    /** Draws a picture of a world that another thread steps. */
    private static GameLoop.Frame drawing(Picture picture) {
        return (beginNanos, displayNanos) -> {
            picture.frame(beginNanos, displayNanos);
            CLOCK.spend(LoadProfile.DRAW_NANOS);
        };
    }

    /** Draws frames that begin at a slot and are meant for the next one. Those that take too long miss slots, which are counted. */
    private RealResult draw(Case run, GameLoop loop) {
        Pacer pacer = Pacer.system();
        TickRate display = run.refresh().display();
        long originNanos = System.nanoTime();
        long warmUpNanos = TimeUnit.SECONDS.toNanos(warmUpSeconds);
        long endNanos = warmUpNanos + TimeUnit.SECONDS.toNanos(measuredSeconds);
        long startNanos = loop.startedAtNanos().orElse(originNanos + display.nanosAt(1));
        ContestantMeter meter = new ContestantMeter(run, startNanos, warmUpNanos);
        long missedSlots = 0;
        long slot = 1;
        while (display.nanosAt(slot) < endNanos) {
            long beginNanos = originNanos + display.nanosAt(slot);
            long displayNanos = originNanos + display.nanosAt(slot + 1);
            pacer.awaitUntil(beginNanos);
            loop.frame().draw(beginNanos, displayNanos);
            long completedNanos = System.nanoTime();
            long displayedNanos = originNanos + run.refresh().slotNanos(completedNanos - originNanos);
            meter.frame(loop.picture(), displayNanos, displayedNanos, completedNanos);
            long next = Math.max(slot, display.tickAt(System.nanoTime() - 1 - originNanos)) + 1;
            missedSlots += next - slot - 1;
            slot = next;
        }
        return meter.realResult(missedSlots);
    }
}
