package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.state.time.TickRate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code escapement run}: simulates a world and shows it while it measures both threads (the main job). */
@Command(
        name = "run",
        abbreviateSynopsis = true,
        description = {
            "Simulates bodies on a physics thread, draws on another, and measures both.",
            "Exit code: 0 all promises held, 1 one was broken, 2 the input was bad."
        })
public final class RunCommand extends ConsoleCommand {

    @Option(names = "--engine", paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options own = new OwnSimulation.Options();

    // This many bodies tick without skipped ticks even on a laptop with two cores, where a step takes 2 ms of the
    // tick's 10 ms, with the moving parts of the machine.
    @Option(
            names = "--bodies",
            paramLabel = "N",
            defaultValue = "250",
            showDefaultValue = Visibility.NEVER,
            description = "How many bodies (${DEFAULT-VALUE}).")
    private int bodies;

    @Option(
            names = "--tick-hz",
            paramLabel = "HZ",
            defaultValue = "100",
            showDefaultValue = Visibility.NEVER,
            description = "Ticks per second (${DEFAULT-VALUE}); also 60000/1001.")
    private TickRate tickRate = TickRate.hertz(1);

    @Option(names = "--fps", paramLabel = "HZ", description = "Frames per second (144); a window has its own.")
    private @Nullable TickRate fps;

    @Mixin
    private ShowOptions show;

    @Option(names = "--serve", paramLabel = "ADDRESS", description = "Serve it to 'watch', as udp:127.0.0.1:20121.")
    private @Nullable String serve;

    @Mixin
    private StreamOptions stream;

    @Option(names = "--record", paramLabel = "FILE", description = "Record the run in a new file, for 'replay FILE'.")
    private @Nullable Path record;

    @Option(
            names = "--flight-recorder",
            paramLabel = "FOLDER",
            description = "Keep the last 30 s; a failure leaves a file.")
    private @Nullable Path flightRecorder;

    /** The world of a run before it is built. {@code described} is what a log stores about the world, null if no log can describe it. */
    private record Source(String name, @Nullable RunDescription described, Supplier<World> world) {}

    @Override
    public Integer call() {
        show.check(fps);
        stream.checkUsed(serve != null, "--serve udp:host:port");
        Function<PhysicsService, Link> serving = serve == null ? null : Link.serving(stream, serve, this::say);
        Source source = source();
        RunOptions options = new RunOptions(source.name, bodies, show.seconds(), tickRate);
        Path jsonFile = show.result("run.json");
        Path reportFile = show.result("report.html");
        if (record != null) {
            LogFile.checkNew(record, jsonFile, reportFile);
        }
        if (flightRecorder != null) {
            WholeFile.checkWritable("--flight-recorder", flightRecorder.resolve("lock"));
        }

        Performance performance;
        // The progress bar is shown before the world is built, because building may take minutes.
        long ticks = options.tickRate().tickAt(options.seconds() * 1_000_000_000L);
        try (ProgressBar progress = ProgressLine.of(options.title(), ticks, " ticks")) {
            progress.setExtraMessage(", making the bodies");
            World world = source.world.get();
            progress.setExtraMessage(", warming up");
            performance = run(options, source.described, world, serving, progress);
        }

        if (performance.endedUnseen()) {
            say("Ended before the first frame: nothing was measured, and "
                    + (record == null ? "nothing" : "only " + record) + " is written.");
            return 0;
        }
        Metrics metrics = performance.result().metrics();
        say(metrics.text());
        metrics.write(jsonFile);
        WholeFile.write(reportFile, performance.page().getBytes(StandardCharsets.UTF_8));
        say("Report: " + reportFile + "   JSON: " + jsonFile);
        return performance.result().faults().isEmpty() ? 0 : 1;
    }

    private Performance run(
            RunOptions options,
            @Nullable RunDescription described,
            World world,
            @Nullable Function<PhysicsService, Link> serving,
            ProgressBar progress) {
        try (Stage stage = show.stage(options.title(), world.scene(), world.isOwn(), fps, this::say);
                LogFile log = record == null || described == null ? null : LogFile.create(record, described)) {
            FlightRecorder flight =
                    flightRecorder == null || described == null ? null : FlightRecorder.in(flightRecorder, described);
            return new MainJob(options, world, stage, log, flight, serving)
                    .run(ticks -> progress.stepTo(ticks).setExtraMessage(""));
        }
    }

    private Source source() {
        OwnSimulation loaded = own.load(engine).orElse(null);
        if (loaded == null) {
            Engine ran = engineToRun();
            RunDescription described = World.describe(ran, bodies, tickRate);
            return new Source(ran.toString(), described, () -> World.create(ran, bodies));
        }
        if (record != null || flightRecorder != null) {
            throw new IllegalArgumentException((record != null ? "--record" : "--flight-recorder")
                    + " writes a log for 'replay', which cannot build " + loaded.name()
                    + " again; leave it out, or --simulation");
        }
        return new Source(loaded.name(), null, () -> World.of(loaded.create(bodies)));
    }

    private Engine engineToRun() {
        if (engine != null) {
            return engine;
        }
        try {
            JoltNatives.load();
            return Engine.JOLT;
        } catch (UnsupportedPlatformException e) {
            say(e.getMessage() + "; using ode4j instead.");
            return Engine.ODE4J;
        }
    }
}
