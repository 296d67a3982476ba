package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.bench.view.Viewer.Abilities;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code escapement run}: the main job. */
@Command(
        name = "run",
        description = {
            "Simulates bodies on a physics thread, shows them on a render thread, and measures both.",
            "Exit code: 0 all promises held, 1 a promise was broken, 2 the input was bad."
        })
public final class RunCommand extends ConsoleCommand {

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "${COMPLETION-CANDIDATES}. Default: jolt, or ode4j where Jolt has no native library.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options ownOptions;

    // A laptop with two cores holds this many without skipping ticks: a step takes 2 ms of its 10, the machine's parts
    // included.
    @Option(
            names = "--bodies",
            paramLabel = "N",
            defaultValue = "250",
            description = "How many bodies tumble; the parts of their machine are not counted.")
    private int bodies;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of the run. Default: 10, in a window or a page at most 600.")
    private @Nullable Integer seconds;

    @Option(
            names = "--tick-hz",
            paramLabel = "HZ",
            defaultValue = "100",
            description = "Ticks per second, a number or a fraction like 60000/1001.")
    private TickRate tickRate;

    @Option(
            names = "--fps",
            paramLabel = "HZ",
            description = "Frames per second. Default: 144, in a window those of the display.")
    private @Nullable TickRate fps;

    @Mixin
    private ShowOptions show;

    @Option(
            names = "--serve",
            paramLabel = "ADDRESS",
            description =
                    "Let other processes see the world and push it, with '${ROOT-COMMAND-NAME} watch ADDRESS', for example at"
                            + " udp:127.0.0.1:20121; or broadcast it over Aeron to any number of processes that only watch, such as"
                            + " aeron:udp?control=localhost:20121.")
    private @Nullable String serve;

    @Mixin
    private StreamOptions stream;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Record the run in a new file, for '${ROOT-COMMAND-NAME} replay FILE'.")
    private @Nullable Path record;

    @Option(
            names = "--flight-recorder",
            paramLabel = "FOLDER",
            description = "Keep the last 30 s in FOLDER: a failure leaves a file there, even if the process dies, which"
                    + " '${ROOT-COMMAND-NAME} replay FILE' repeats.")
    private @Nullable Path flightRecorder;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of report.html and run.json.")
    private Path out;

    @Override
    public Integer call() {
        show.check();
        stream.checkUsed(serve != null, "--serve udp:host:port");
        Function<PhysicsService, Link> serving = serve == null ? null : Link.serving(stream, serve, this::say);
        Source source = source();
        RunOptions options =
                new RunOptions(source.name(), bodies, seconds != null ? seconds : show.usualSeconds(), tickRate);
        Path jsonFile = out.resolve("run.json");
        Path reportFile = out.resolve("report.html");
        WholeFile.checkWritable("--out", reportFile);
        WholeFile.checkWritable("--out", jsonFile);
        if (record != null) {
            LogFile.checkNew(record, jsonFile, reportFile);
        }
        if (flightRecorder != null) {
            WholeFile.checkWritable("--flight-recorder", flightRecorder.resolve("lock"));
        }

        Performance performance;
        // Before the world is built, which may take minutes.
        long ticks = tickRate.tickAt(options.seconds() * 1_000_000_000L);
        try (ProgressBar progress = ProgressLine.of(options.title(), ticks, " ticks")) {
            progress.setExtraMessage(", making the bodies");
            World world = source.worlds().get();
            progress.setExtraMessage("");
            performance = lastOf(options, source, world, serving, progress);
        }

        if (performance.endedUnseen()) {
            say("Ended before the first frame: nothing was measured, and "
                    + (record == null ? "nothing" : "only " + record) + " is written.");
            return 0;
        }
        Metrics metrics = performance.result().metrics();
        say(metrics.text());
        metrics.write(jsonFile);
        WholeFile.write(reportFile, RunPage.html(performance).getBytes(StandardCharsets.UTF_8));
        say("Report: " + reportFile + "   JSON: " + jsonFile);
        return performance.result().faults().isEmpty() ? 0 : 1;
    }

    /**
     * Builds the world of a run.
     *
     * @param name      the name of the simulation
     * @param described its description in a log; null if no log can describe it
     */
    private record Source(String name, @Nullable RunDescription described, Supplier<World> worlds) {}

    private Source source() {
        OwnSimulation own = ownOptions.load(engine).orElse(null);
        if (own == null) {
            Engine ran = engineToRun();
            RunDescription described = World.describe(ran, bodies, false, tickRate);
            return new Source(ran.toString(), described, () -> World.create(ran, bodies));
        }
        if (record != null || flightRecorder != null) {
            throw new IllegalArgumentException((record != null ? "--record" : "--flight-recorder")
                    + " writes a log for 'replay', which cannot build " + own.name()
                    + " again; leave it out, or --simulation");
        }
        return new Source(own.name(), null, () -> World.of(own.create(bodies)));
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

    /** Runs, again each time it is started over. Returns the metrics of the last run that has shown something. */
    private Performance lastOf(
            RunOptions options,
            Source source,
            World first,
            @Nullable Function<PhysicsService, Link> serving,
            ProgressBar progress) {
        int draggable = first.pushable() == null ? 0 : first.pushable().draggableCount();
        Abilities abilities = new Abilities(draggable, record == null); // a log has one beginning
        try (Stage stage = show.stage(options.title(), first.scene(), abilities, fps, this::say)) {
            Performance last = null;
            for (World world = first; ; world = source.worlds().get()) {
                try (LogFile log = record == null || source.described() == null
                        ? null
                        : LogFile.create(record, source.described())) {
                    FlightRecorder flight = flightRecorder == null || source.described() == null
                            ? null
                            : FlightRecorder.in(flightRecorder, source.described());
                    Performance performance =
                            new MainJob(options, world, stage, log, flight, serving).run(progress::stepTo);
                    last = last == null || !performance.endedUnseen() ? performance : last;
                    if (!stage.wantsRestart()) {
                        return last;
                    }
                }
            }
        }
    }
}
