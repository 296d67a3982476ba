package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Runs contestants on a virtual clock. The first part of a run is a warm-up, in which contestants learn delays; it is not measured. */
final class VirtualContest {

    static final int WARM_UP_SECONDS = 12;

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS + 20);

    private static final int OVERLOAD_WARM_UP_SECONDS = 2;
    private static final long OVERLOAD_END_NANOS = TimeUnit.SECONDS.toNanos(OVERLOAD_WARM_UP_SECONDS + 10);
    private static final long DELAY_STEP_NANOS = 500_000;
    private static final long MAX_DELAY_NANOS = 10_000_000;

    private VirtualContest() {}

    static Result measure(Case run) {
        return measure(run, run.contestant()::loop);
    }

    static Result measure(Case run, Function<GameLoops, GameLoop> loopOf) {
        WorkClock clock = new WorkClock();
        WorkClock stepsClock = run.contestant().hasTwoThreads() ? new WorkClock() : clock;
        GameLoops.Threads threads = (loops, windowSize, drawing) -> twoThreads(loops, stepsClock, windowSize, drawing);
        GameLoops loops = new GameLoops(
                run, run.refresh().tickRate(), new Scene(run.load()::costNanos, stepsClock), clock, threads);
        int warmUpSeconds = run.load().hasLongSteps() ? OVERLOAD_WARM_UP_SECONDS : WARM_UP_SECONDS;
        return loopOf.apply(loops).measure(run, clock, warmUpSeconds, endNanos(run));
    }

    /**
     * Returns the time after which no frame begins. With two threads this is the end of the last tick's step. Under a lock it is the start
     * of this step, because the step blocks frames.
     */
    private static long endNanos(Case run) {
        if (run.load().hasLongSteps()) {
            return OVERLOAD_END_NANOS;
        }
        if (!run.contestant().hasTwoThreads()) {
            return END_NANOS;
        }
        long lastTick = run.refresh().tickRate().tickAt(END_NANOS - 1);
        long costNanos =
                run.contestant() == Contestant.LOCK_AND_COPY ? 0 : run.load().costNanos(lastTick);
        return run.refresh().tickRate().nanosAt(lastTick) + costNanos;
    }

    private static GameLoop twoThreads(
            GameLoops loops, WorkClock stepsClock, int windowSize, Function<SnapshotReader, Picture> drawing) {
        PhysicsServiceBuilder builder = PhysicsService.builder(loops.scene())
                .rate(loops.rate())
                .windowSize(windowSize)
                .maxReaders(1);
        InlineDriver driver = loops.run().contestant().driver(builder, stepsClock);
        VirtualPhysics physics =
                new VirtualPhysics(driver, stepsClock, loops.run().load());
        Picture picture = drawing.apply(driver.newReader());
        GameLoop.Frame frame = (beginNanos, displayNanos) -> {
            physics.runUntil(beginNanos);
            if (loops.run().contestant() == Contestant.LOCK_AND_COPY) {
                // A frame that begins during a step waits for the lock.
                loops.clock().spendUntil(physics.endOfStepAt(beginNanos));
            }
            picture.frame(beginNanos, displayNanos);
            loops.clock().spend(LoadProfile.DRAW_NANOS);
        };
        return new GameLoop(picture, frame);
    }

    /** Finds the fixed delay with which {@link Contestant#TWO_BY_DUE} has the smallest error, by trying them all. */
    static long bestDelayNanos(Case run) {
        return LongStream.rangeClosed(0, MAX_DELAY_NANOS / DELAY_STEP_NANOS)
                .mapToObj(step -> step * DELAY_STEP_NANOS)
                .min(Comparator.comparingDouble(nanos -> errorMicros(run, AlphaRule.byDueTime(nanos))))
                .orElseThrow();
    }

    private static double errorMicros(Case run, AlphaRule rule) {
        return measure(run, loops -> loops.twoLatest(rule)).errorMicros().mean();
    }
}
