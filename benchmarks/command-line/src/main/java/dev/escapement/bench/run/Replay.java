package dev.escapement.bench.run;

import dev.escapement.bench.measure.MeasuredSimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.bench.report.LiveOption;
import dev.escapement.physics.Divergence;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A recorded run that is run again, once: without pictures, or on a stage.
 *
 * @param log    what was recorded
 * @param source what it was of
 * @param world  as it was when the run began; it is closed by the replay
 */
record Replay(InputLog log, World.Source source, World world) {

    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(LiveOption.MOST_SECONDS);

    /**
     * A log that was run again.
     *
     * @param ticks      how many ticks were run again, from the first on
     * @param rate       their rate
     * @param tookNanos  how long that took
     * @param stateHash  the hash of the state after the last of them
     * @param divergence where the state was first another than when it was recorded, empty if it never was
     */
    record Result(long ticks, TickRate rate, long tookNanos, long stateHash, Optional<Divergence> divergence) {

        /** The figures for people. */
        String text() {
            double simulatedSeconds = ticks / rate.inHertz();
            double tookSeconds = tookNanos / 1e9;
            return String.format(
                    Locale.ROOT,
                    "%,d ticks at %s: %.2f s simulated in %.2f s, %.1f times as fast.%nState hash after tick %d: %s",
                    ticks,
                    rate,
                    simulatedSeconds,
                    tookSeconds,
                    simulatedSeconds / tookSeconds,
                    ticks,
                    HexFormat.of().toHexDigits(stateHash));
        }
    }

    /**
     * What is to be run again from a file of {@code run --record}.
     *
     * @throws IllegalArgumentException if it cannot be run again from its first tick, or is of another world
     */
    static Replay of(Path file) {
        InputLog log = LogFile.open(file);
        World.Source source = World.Source.of(log.run());
        return new Replay(log, source, source.worlds().get());
    }

    /**
     * Runs all ticks on the calling thread, as fast as it goes, also after a divergence.
     *
     * @param progress told of every tick
     */
    Result run(LongConsumer progress) {
        Simulation simulation = world.simulation();
        ManualClock clock = new ManualClock(0);
        TickRate rate = log.rate();
        long startedNanos = System.nanoTime();
        try (InlineDriver driver =
                PhysicsService.builder(simulation).replay(log).inline(clock)) {
            for (long tick = 1; tick <= log.ticks(); tick++) {
                clock.advance(rate.nanosAt(tick) - clock.nanoTime());
                if (driver.runDueTicks() != 1) {
                    throw new IllegalStateException("tick " + tick + " of " + log + " did not run when it was due");
                }
                progress.accept(tick);
            }
            return result(log.ticks(), System.nanoTime() - startedNanos, simulation, driver.divergence());
        }
    }

    /**
     * Shows the log in real time, until the stage ends; at the end of the log time stands still, and the last picture stays. Main thread.
     *
     * @throws IllegalStateException if the simulation or the renderer failed
     */
    Result show(Stage stage) {
        TickRecorder ticks = new TickRecorder(0);
        Metronome metronome = new Metronome(world.scene().floorHalfExtent());
        MeasuredSimulation simulation = new MeasuredSimulation(world.simulation(), source.bodies(), metronome, ticks);
        PhysicsService physics = PhysicsService.builder(simulation)
                .onFailure(failure -> {}) // the verdict tells it, in a line
                .maxReaders(1 + stage.readers())
                .preallocate(source.bodies() + 1)
                .listener(ticks)
                .replay(log)
                .build();
        try (physics) {
            physics.pause(); // until somebody can see it
            physics.start();
            show(physics, stage);
        }
        physics.failure().ifPresent(failure -> {
            throw new IllegalStateException("the replay ended after tick " + ticks.ticks() + ": " + failure, failure);
        });
        long tookNanos = physics.closedAtNanos() - physics.startedAtNanos();
        return result(ticks.ticks(), tookNanos, simulation, physics.divergence());
    }

    private Result result(long ticks, long tookNanos, Simulation simulation, Optional<Divergence> divergence) {
        return new Result(ticks, log.rate(), tookNanos, simulation.hash(), divergence);
    }

    private static void show(PhysicsService physics, Stage stage) {
        RenderLoop loop =
                stage.startDrawing(Stage.Drawn.of(physics), FrameView.of(physics.newReader()), new FrameListener() {});
        try (loop) {
            physics.resume();
            stage.waitWhile(
                    () -> physics.state() != ServiceState.FAILED
                            && loop.failure().isEmpty()
                            && System.nanoTime() - physics.startedAtNanos() < MOST_NANOS,
                    physics.input());
        }
        loop.failure().ifPresent(failure -> {
            throw new IllegalStateException("the renderer failed: " + failure, failure);
        });
    }
}
