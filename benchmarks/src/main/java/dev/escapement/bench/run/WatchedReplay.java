package dev.escapement.bench.run;

import dev.escapement.bench.measure.MeasuredSimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows a log in real time, from a tick on. At its end time stands still, and the last picture stays.
 *
 * <p>Main thread.
 */
final class WatchedReplay {

    /** What {@link TimeScale} and {@link TickRate} allow at most. */
    private static final long FASTEST_SCALE = 64;

    private static final double FASTEST_HERTZ = 100_000;

    private static final long LOOK_NANOS = 1_000_000;

    private final InputLog log;
    private final RecordedScene scene;
    private final World world;
    private final Stage stage;
    private final TickRecorder ticks = new TickRecorder(0);

    /** The world as it was when the run began; closed here. */
    WatchedReplay(InputLog log, RecordedScene scene, World world, Stage stage) {
        this.log = log;
        this.scene = scene;
        this.world = world;
        this.stage = stage;
    }

    /**
     * Runs until whoever watches has enough.
     *
     * @param fromTick the first tick that is shown; those before it run as fast as they go, up to 64 times real time
     * @throws IllegalStateException if the simulation or the renderer failed
     */
    ReplayResult run(long fromTick) {
        Metronome metronome = new Metronome(world.scene().floorHalfExtent());
        MeasuredSimulation simulation = new MeasuredSimulation(world.simulation(), scene.bodies(), metronome, ticks);
        PhysicsService physics = PhysicsService.builder(simulation)
                .maxReaders(1)
                .preallocate(scene.bodies() + 1)
                .listener(ticks)
                .replay(log)
                .build();
        try (physics) {
            fastForward(physics, fromTick);
            show(physics);
        }
        physics.failure().ifPresent(failure -> {
            throw new IllegalStateException("the replay ended after tick " + ticks.ticks() + ": " + failure, failure);
        });
        long tookNanos = physics.closedAtNanos() - physics.startedAtNanos();
        return new ReplayResult(ticks.ticks(), log.run().rate(), tookNanos, simulation.hash(), physics.divergence());
    }

    /** Time stands still after the tick, whatever the speed was. */
    private void fastForward(PhysicsService physics, long toTick) {
        for (long tick = 1; tick <= toTick; tick++) {
            physics.step();
        }
        physics.timeScale(fastest(log.run().rate()));
        physics.start();
        while (physics.state() == ServiceState.RUNNING) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void show(PhysicsService physics) {
        RenderLoop loop = stage.startDrawing(FrameView.of(physics.newReader()), new FrameListener() {});
        try (loop) {
            physics.timeScale(TimeScale.ONE);
            physics.resume();
            stage.waitWhile(
                    () -> physics.state() != ServiceState.FAILED
                            && loop.failure().isEmpty(),
                    physics.input());
        }
        loop.failure().ifPresent(failure -> {
            throw new IllegalStateException("the renderer failed: " + failure, failure);
        });
    }

    private static TimeScale fastest(TickRate rate) {
        return new TimeScale(Math.max(1, Math.min(FASTEST_SCALE, (long) (FASTEST_HERTZ / rate.inHertz()))), 1);
    }
}
