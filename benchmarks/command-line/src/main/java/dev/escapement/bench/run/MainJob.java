package dev.escapement.bench.run;

import dev.escapement.bench.compare.Baseline;
import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.measure.MeasuredSimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.measure.TickTrace;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The main job of {@code escapement run}. The engine ticks on the physics thread, the render thread draws frames, a player pushes bodies,
 * and the main thread waits.
 *
 * <p>Main thread.
 */
final class MainJob {

    private static final int MIN_POINTS = 10;

    /** How often the end of a run waits 5 s for the last frame, before it gives up. */
    private static final int MAX_WAITS = 12;

    private static final int WARM_UP_BODIES = 16;
    private static final int WARM_UP_TICKS = 60_000;

    /** How far back a person may rewind the world. A page offers as much; less is kept if memory does not suffice. */
    private static final Duration HISTORY = Duration.ofSeconds(30);

    private static final long MAX_HISTORY_BYTES = 256L << 20;

    private final RunOptions options;
    private final World world;
    private final Stage stage;
    private final @Nullable LogFile log;
    private final @Nullable FlightRecorder flight;
    private final @Nullable Function<PhysicsService, Link> serving;
    private final MeasuredSimulation simulation;
    private final TickTrace ticks;
    private final FrameRecorder frames;

    /** Attributes lost tick time to its causes, in the measured part only. Until the warm-up ends, {@link #warmUpWatch}, or null. */
    private @Nullable TimeWatch watch;

    /** Loads what a watch needs before ticks are measured. */
    private @Nullable TimeWatch warmUpWatch;

    /**
     * The metrics of an ended run, the data of its plots, and whether a person ended the run before its first frame ({@code endedUnseen}).
     */
    record Performance(RunResult result, TickTrace ticks, FrameRecorder frames, boolean endedUnseen) {

        String page() {
            Plot errors = new Plot(
                    "Animation error of each frame",
                    "How much too far (or not far enough, if negative) the picture moved from one frame to the next. At the start the"
                            + " interpolation delay is being learned. 0.2 ms is not seen, 2 ms is stutter.",
                    "seconds since the first frame",
                    "milliseconds",
                    false,
                    frames.slotErrorOverTime().points());
            Plot lateness =
                    Plot.histogram("Tick lateness", "How late ticks started after they were due.", ticks.lateness());
            return ReportPage.html(
                    result.metrics().forPage(),
                    Stream.of(errors, lateness)
                            .filter(plot -> plot.points().size() >= MIN_POINTS)
                            .toList());
        }
    }

    /**
     * Prepares a run. {@code log} is null if the run is not recorded, {@code flight} if it has no flight recorder, {@code serving} if no
     * other process may watch it.
     */
    MainJob(
            RunOptions options,
            World world,
            Stage stage,
            @Nullable LogFile log,
            @Nullable FlightRecorder flight,
            @Nullable Function<PhysicsService, Link> serving) {
        this.options = options;
        this.world = world;
        this.stage = stage;
        this.log = log;
        this.flight = flight;
        this.serving = serving;
        // A simulation of --simulation gets no metronome. It may spawn bodies at any time, and so could use the slot of
        // the metronome for one of them.
        Metronome metronome = world.isOwn() ? null : new Metronome(world.scene().floorHalfExtent());
        ticks = new TickTrace(options.warmUpNanos());
        simulation = new MeasuredSimulation(stage.slowed(world.simulation()), metronome);
        double expectedTicks = options.seconds() * options.tickRate().inHertz();
        frames = new FrameRecorder(metronome, simulation.bodyCount(), options.warmUpNanos(), expectedTicks);
    }

    /** Performs the whole run. {@code progress} receives the number of ticks so far, several times a second. */
    Performance run(LongConsumer progress) {
        // A person sees the world sooner if nothing is compiled first.
        if (!stage.hasPlayer()) {
            compileTicks();
        }
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
                .onFailure(failure -> {}) // ignored here, because the result contains the failure
                .rate(options.tickRate())
                .windowSize(RunOptions.SNAPSHOTS)
                .threadPolicy(ThreadPolicy.realTime())
                .maxReaders(1 + (stage.hasPlayer() ? 1 : 0) + (serving == null ? 0 : 1))
                .preallocate(Math.max(options.bodies(), simulation.bodyCount()) + 1)
                .checksums(true)
                .with(ticks);
        if (log != null) {
            builder.with(log.recording());
        }
        if (flight != null) {
            builder.with(flight);
        }
        StateHistory history = null;
        if (stage.mayRewind() && simulation.capability(Restorable.class).isPresent()) {
            long maxBytes = Math.min(MAX_HISTORY_BYTES, Runtime.getRuntime().maxMemory() / 4);
            history = StateHistory.of(HISTORY).maxBytes(maxBytes);
            builder.with(history);
        }
        PhysicsService physics = builder.build();
        frames.askedScale(physics::timeScale);
        warmUpWatch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
        watch = warmUpWatch;
        physics.start();
        RenderLoop loop =
                stage.startDrawing(Stage.Drawn.of(physics, history), FrameView.of(physics.newReader()), frames);
        frames.missedSlots(loop::missedSlots);
        Player player = new Player(physics.input(), options.bodies());
        Link server = serving == null ? null : serving.apply(physics);
        if (server != null) {
            physics.stats().addCounts(server.counts());
        }
        long closedNanos = 0;
        long endedNanos = 0;
        try (player;
                server) {
            if (!stage.hasPlayer() && !world.isOwn()) {
                player.thread.start();
            }
            stage.waitWhile(() -> isRunning(physics, loop, server, progress), physics.input());
        } finally {
            frames.stop();
            closedNanos = System.nanoTime();
            physics.close();
            endedNanos = System.nanoTime();
            // Waits longer than usual. A software renderer on busy cores may take seconds for a frame, and the result
            // needs the last frame.
            for (int waits = 0; loop.isRunning() && waits < MAX_WAITS; waits++) {
                loop.close();
            }
            try {
                warmUpWatch.close();
            } finally {
                watch.close();
            }
        }
        Throwable failure = physics.failure().orElse(null);
        if (failure instanceof HungSimulationException || loop.isRunning()) {
            throw new IllegalStateException(
                    "a thread hangs and cannot be measured: physics is " + physics.state()
                            + (loop.isRunning() ? ", the renderer still draws" : ""),
                    failure);
        }
        progress.accept(ticks.ticks());
        RunResult result = result(
                physics,
                closedNanos,
                endedNanos,
                loop,
                server,
                player,
                Objects.requireNonNull(watch).lost());
        boolean endedUnseen = (stage.hasPlayer() || EndRequest.isMade())
                && frames.frames() == 0
                && result.failure().isEmpty();
        return new Performance(result, ticks, frames, endedUnseen);
    }

    private boolean isRunning(PhysicsService physics, RenderLoop loop, @Nullable Link server, LongConsumer progress) {
        progress.accept(ticks.ticks());
        long halfTickNanos = options.tickRate().nanosAt(1) / 2;
        long lengthNanos = options.seconds() * 1_000_000_000L + halfTickNanos;
        ServiceState state = physics.state();
        long ranNanos = System.nanoTime() - physics.startedAtNanos();
        if (watch == warmUpWatch && ranNanos >= options.warmUpNanos()) {
            // The new watch leaves out the warm-up, whose lost time does not explain the measured ticks. The first one
            // is closed at the end of the run, because its close takes seconds, whose ticks no watch would see.
            watch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
        }
        return ranNanos < lengthNanos
                && (state == ServiceState.RUNNING || state == ServiceState.PAUSED)
                && loop.failure().isEmpty()
                && (server == null || server.failure().get().isEmpty());
    }

    private RunResult result(
            PhysicsService physics,
            long closedNanos,
            long endedNanos,
            RenderLoop loop,
            @Nullable Link server,
            Player player,
            TakenTime lost) {
        long skippedTicks = physics.skippedTicks();
        long ran = ticks.ticks();
        long lostNanos = physics.skippedNanos() + physics.slowedNanos();
        long slowedTicks = Math.max(0, options.tickRate().tickAt(lostNanos) - skippedTicks);
        long simulatedNanos = options.tickRate().nanosAt(ran);
        // Ticks that became due after the call of close() are not expected. But the last tick, published while the
        // service closed, may already count some of them as skipped, and then they are expected as well.
        long expectedTicks = stage.hasPlayer()
                ? ran + skippedTicks + slowedTicks
                : Math.max(
                        ticksDue(physics, closedNanos),
                        Math.min(ran + skippedTicks + slowedTicks, ticksDue(physics, endedNanos)));
        Optional<Throwable> failure = physics.failure()
                .or(loop::failure)
                .or(() -> server == null ? Optional.empty() : server.failure().get());
        boolean othersPlay = stage.hasPlayer() || server != null;
        // The service's advice refers to its last ticks, which closing the service may delay. It is therefore given
        // only if the measured ticks varied, too.
        double halfTickMicros = 0.5e6 / options.tickRate().inHertz();
        boolean variesMuch = ticks.publishDelay().summary().max() >= halfTickMicros;
        return new RunResult(
                options.engine(),
                options.bodies(),
                options.tickRate().inHertz(),
                (closedNanos - physics.startedAtNanos()) / 1e9,
                options.warmUpNanos() / 1e9,
                ran,
                expectedTicks,
                skippedTicks,
                slowedTicks,
                lost.ticksNanos() / 1e6,
                lost.othersNanos() / 1e6,
                lost.jvmNanos() / 1e6,
                lost.unknownNanos() / 1e6,
                Objects.requireNonNull(watch).all().jvmNanos() / 1e6,
                simulatedNanos == 0 ? 0 : (double) simulatedNanos / (simulatedNanos + lostNanos),
                frames.result(stage.framesPerSecond(), stage.renderer),
                physics.quarantinedPoses(),
                othersPlay ? physics.input().accepted() + physics.input().rejected() : player.offered,
                othersPlay ? physics.input().accepted() : player.accepted,
                ticks.inputsApplied(),
                physics.pendingInputs(),
                physics.input().droppedWhilePaused(),
                physics.input().rejected(),
                ticks.allocatedBytesPerTick(),
                ticks.corePercent(),
                HexFormat.of().toHexDigits(simulation.hash()),
                ticks.lateness().summary(),
                ticks.step().summary(),
                ticks.publishDelay().summary(),
                ticks.inputToSnapshot().summary(),
                frames.inputToFrame(ticks).summary(),
                variesMuch ? physics.stats().windowAdvice() : "",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                physics.threadGrants().granted(),
                physics.threadGrants().toString(),
                failure.map(Throwable::toString).orElse(""),
                Baseline.of(options.tickRate(), ticks.steps(), frames.slots()),
                log == null ? null : log.finish(ran));
    }

    private long ticksDue(PhysicsService physics, long nanos) {
        return options.tickRate().tickAt(nanos - physics.startedAtNanos());
    }

    /** A scripted player: pushes bodies a thousand times per second on average, at irregular times that are independent of ticks. */
    private static final class Player implements AutoCloseable {

        private static final TickRate EVENTS_PER_SECOND = TickRate.hertz(1000);
        private static final float PUSH_METRES_PER_SECOND = 1;
        private static final long CLOSE_TIMEOUT_NANOS = 5_000_000_000L;

        private final InputRing ring;
        private final int bodies;
        private final Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_THEN_SPIN);
        private final Thread thread = new Thread(this::play, "escapement-player");

        /**
         * The number of offered push events, and below it the number that the input ring accepted. Both are final once the player is
         * closed.
         */
        private long offered;

        private long accepted;

        Player(InputRing ring, int bodies) {
            this.ring = ring;
            this.bodies = Math.max(1, bodies);
            thread.setDaemon(true);
        }

        private void play() {
            SplittableRandom random = new SplittableRandom(8);
            long originNanos = System.nanoTime();
            long maxJitterNanos = EVENTS_PER_SECOND.nanosAt(1);
            for (long event = 1;
                    pacer.awaitUntil(originNanos + EVENTS_PER_SECOND.nanosAt(event) + random.nextLong(maxJitterNanos));
                    event++) {
                offered++;
                int body = random.nextInt(bodies);
                long now = System.nanoTime();
                if (ring.offer(now, InputKind.APPLICATION, PushControls.PUSH_ONE, body, PUSH_METRES_PER_SECOND)) {
                    accepted++;
                }
            }
        }

        @Override
        public void close() {
            pacer.cancel();
            ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS);
        }
    }

    /**
     * Simulates ten minutes of ticks of a small world, which takes a fraction of a second. So the JIT compiler compiles the tick's code
     * before the measurement.
     */
    private static void compileTicks() {
        try (SeededWorld small =
                new SeededWorld(new SpringSimulation(WARM_UP_BODIES), WARM_UP_BODIES, builder -> builder)) {
            small.run(1, WARM_UP_TICKS);
        }
    }
}
