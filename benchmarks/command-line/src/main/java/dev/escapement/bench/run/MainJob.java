package dev.escapement.bench.run;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.measure.MeasuredSimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.bench.run.RunResult.TimeControl;
import dev.escapement.bench.view.WorldTime;
import dev.escapement.physics.HungSimulationException;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ServiceState;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimerResolution;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The main job: the engine ticks on the physics thread, frames are made on the render thread, a player pushes, and the main
 * thread waits.
 *
 * <p>Main thread.
 */
final class MainJob {

    private static final int WARM_UP_BODIES = 16;
    private static final int WARM_UP_TICKS = 60_000;
    private static final long WARM_UP_TICK_NANOS = 10_000_000;

    /** Main thread. */
    private static boolean areCompiled;

    private final RunOptions options;
    private final World world;
    private final Stage stage;
    private final @Nullable LogFile log;
    private final @Nullable Function<PhysicsService, Link> serving;
    private final MeasuredSimulation simulation;
    private final TickRecorder ticks;
    private final GivenUpTicks givenUp;
    private final FrameRecorder frames;

    /**
     * A run that is over.
     *
     * @param result      the figures, and {@code ticks} and {@code frames} behind them
     * @param lastPoses   what the last frame showed, the metronome last; no slots if there was no frame
     * @param endedUnseen whether it was ended from outside before its first frame
     */
    record Performance(
            RunResult result, TickRecorder ticks, FrameRecorder frames, PoseBlocks lastPoses, boolean endedUnseen) {}

    /**
     * Prepares a run.
     *
     * @param stage who draws and who waits
     * @param log   where the run is recorded, null if nowhere
     * @param serving where other processes see and push the world, null if nowhere
     */
    MainJob(
            RunOptions options,
            World world,
            Stage stage,
            @Nullable LogFile log,
            @Nullable Function<PhysicsService, Link> serving) {
        this.options = options;
        this.world = world;
        this.stage = stage;
        this.log = log;
        this.serving = serving;
        // Simulations from outside may spawn and despawn bodies at any time: the slot of the metronome would be in
        // their way.
        Metronome metronome = world.scene().markers() == 0
                ? null
                : new Metronome(world.scene().floorHalfExtent());
        ticks = new TickRecorder(options.warmUpNanos());
        givenUp = new GivenUpTicks(options.tickRate().nanosAt(1));
        simulation = new MeasuredSimulation(world.simulation(), options.bodies(), metronome, ticks);
        double expectedTicks = options.seconds() * options.tickRate().inHertz();
        frames = new FrameRecorder(metronome, options.bodies(), options.warmUpNanos(), expectedTicks);
    }

    /**
     * Runs from start to end.
     *
     * @param progress told now and then how many ticks have run
     * @return what was measured, and the last picture
     */
    Performance run(LongConsumer progress) {
        compileTicksAndFrames();
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
                .onFailure(failure -> {}) // the result tells it, in a line
                .rate(options.tickRate())
                .windowSize(options.snapshots())
                .maxReaders(1 + stage.readers() + (serving == null ? 0 : 1))
                .preallocate(options.bodies() + 1)
                .checksums(true)
                .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {
                    ticks.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
                    if (timeChanges() == 0) { // after that, due times do not tell what was given up
                        givenUp.ticked(dueNanos, startedNanos, System.nanoTime()); // with the time of the listeners
                    }
                });
        MachineWitness witness = MachineWitness.start();
        PhysicsService physics = (log == null ? builder : builder.record(log.recording())).start();
        FrameView view = FrameView.of(physics.newReader(), Interpolation.DEFAULT.lookAhead(options.lookAhead()));
        if (options.lookAhead() > 0) {
            physics.stats().addCounts(frames.prediction()::counts);
        }
        RenderLoop loop = stage.startDrawing(Stage.Drawn.of(physics), view, frames);
        ScriptedPlayer player = new ScriptedPlayer(physics.input(), options.bodies());
        Link server = serving == null ? null : serving.apply(physics);
        if (server != null) {
            physics.stats().addCounts(server::counts);
        }
        boolean endedFromOutside = false;
        long endedNanos = 0;
        try (player;
                server) {
            if (!stage.hasPlayer() && world.pushable() != null) {
                player.start();
            }
            stage.waitWhile(() -> goesOn(physics, loop, server, progress), physics.input());
            endedFromOutside = goesOn(physics, loop, server, progress);
        } finally {
            frames.stop();
            physics.close();
            endedNanos = System.nanoTime();
            loop.close();
            witness.close();
        }
        Throwable failure = physics.failure().orElse(null);
        if (failure instanceof HungSimulationException || loop.isRunning()) {
            throw new IllegalStateException(
                    "a thread hangs and cannot be measured: physics is " + physics.state()
                            + (loop.isRunning() ? ", the renderer still draws" : ""),
                    failure);
        }
        progress.accept(ticks.ticks());
        boolean seen = frames.frames() > 0; // a view that was closed before its first frame has no poses
        return new Performance(
                result(physics, endedNanos, loop, server, player, witness),
                ticks,
                frames,
                seen ? view.poses() : new PoseBlocks(0),
                endedFromOutside && !seen);
    }

    private int timeChanges() {
        WorldTime time = stage.time();
        return time == null ? 0 : time.changes();
    }

    private boolean goesOn(PhysicsService physics, RenderLoop loop, @Nullable Link server, LongConsumer progress) {
        progress.accept(ticks.ticks());
        long halfTickNanos = options.tickRate().nanosAt(1) / 2;
        long lengthNanos = options.seconds() * 1_000_000_000L + halfTickNanos;
        ServiceState state = physics.state();
        return System.nanoTime() - physics.startedAtNanos() < lengthNanos
                && (state == ServiceState.RUNNING || state == ServiceState.PAUSED)
                && loop.failure().isEmpty()
                && (server == null || server.failure().isEmpty());
    }

    private RunResult result(
            PhysicsService physics,
            long endedNanos,
            RenderLoop loop,
            @Nullable Link server,
            ScriptedPlayer player,
            MachineWitness witness) {
        long givenUpTicks = physics.givenUpTicks();
        GivenUpTicks.Reasons reasons = givenUp.reasons(witness);
        long ran = ticks.ticks();
        // A tick that runs while the service is closed accounts for what becomes due until it ends, an instant nobody
        // tells.
        long expectedTicks = Math.max(
                ticksDue(physics, physics.closedAtNanos()),
                Math.min(ran + givenUpTicks, ticksDue(physics, endedNanos)));
        Optional<Throwable> failure =
                physics.failure().or(loop::failure).or(() -> server == null ? Optional.empty() : server.failure());
        boolean othersPlay = stage.hasPlayer() || server != null;
        TimerResolution timer = TimerResolution.ofThisJvm();
        return new RunResult(
                options.engine(),
                options.bodies(),
                options.tickRate().inHertz(),
                options.seconds(),
                options.snapshots(),
                options.warmUpNanos() / 1e9,
                ran,
                expectedTicks,
                givenUpTicks,
                reasons.slow(),
                // Given up at the end, or after time was changed: nobody has looked why.
                reasons.unexplained() + Math.max(0, givenUpTicks - reasons.total()),
                witness.awayMillis(),
                ran + givenUpTicks == 0 ? 0 : (double) ran / (ran + givenUpTicks),
                PictureResult.of(stage, frames, loop),
                physics.quarantinedPoses(),
                othersPlay ? physics.input().accepted() + physics.input().rejected() : player.offered(),
                othersPlay ? physics.input().accepted() : player.accepted(),
                simulation.inputsGiven(),
                physics.pendingInputs(),
                physics.input().rejected(),
                ticks.allocatedBytesPerTick(),
                ticks.corePercent(),
                HexFormat.of().toHexDigits(simulation.hash()),
                ticks.lateness().summary(),
                ticks.step().summary(),
                ticks.publishDelay().summary(),
                ticks.inputs().toSnapshot().summary(),
                ticks.inputs().mostBeyondBoundNanos() / 1e3,
                frames.inputToFrame(ticks).summary(),
                timer.clockStepNanos(),
                timer.shortestParkNanos(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                failure.map(Throwable::toString).orElse(""),
                log == null ? null : log.finish(ran),
                timeChanges() == 0
                        ? null
                        : new TimeControl(timeChanges(), physics.input().droppedWhilePaused()));
    }

    private long ticksDue(PhysicsService physics, long nanos) {
        WorldTime time = stage.time();
        return time == null || time.changes() == 0
                ? options.tickRate().tickAt(nanos - physics.startedAtNanos())
                : time.ticksDue(nanos);
    }

    /**
     * Lets the JIT compiler see a tick and a frame often enough before either is measured: ten minutes of ticks of a small world, on a
     * manual clock, in a fraction of a second. Once is enough.
     */
    private static void compileTicksAndFrames() {
        if (areCompiled) {
            return;
        }
        areCompiled = true;
        ManualClock clock = new ManualClock(0);
        Metronome metronome = new Metronome(10);
        TickRecorder ticks = new TickRecorder(0);
        MeasuredSimulation simulation =
                new MeasuredSimulation(new SpringSimulation(WARM_UP_BODIES), WARM_UP_BODIES, metronome, ticks);
        FrameRecorder frames = new FrameRecorder(metronome, WARM_UP_BODIES, 0, WARM_UP_TICKS);
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        try (InlineDriver driver = PhysicsService.builder(simulation)
                        .checksums(true)
                        .listener(ticks)
                        .inline(clock);
                FrameView view = FrameView.of(driver.newReader())) {
            for (int tick = 0; tick < WARM_UP_TICKS; tick++) {
                clock.advance(WARM_UP_TICK_NANOS);
                long now = clock.nanoTime();
                driver.input().offer(now, InputKind.APPLICATION, PushControls.PUSH_ONE, tick % WARM_UP_BODIES, 1);
                driver.runDueTicks();
                frames.beforeAcquire(view);
                if (view.advance(now)) {
                    instances.write(view.interpolator(), 0, 0, 0);
                    frames.drawn(view, now, now);
                }
            }
        }
    }
}
