package dev.escapement.bench.stress;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.EngineBodies;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.TickRate;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code escapement stress soak}: runs a world under all parts of a storm at once, for a minute or a night. */
@Command(
        name = "soak",
        description = {
            "Stresses a world by everything that a game, its players, its network and its machine do to it, at once, and checks every"
                    + " promise all the time.",
            "Exit code: 0 all promises held, 1 one was broken or a file could not be written, 2 the input was bad, 3 one was not checked,"
                    + " though this storm can check it."
        })
final class SoakCommand extends ConsoleCommand {

    /** The exit code if no promise was broken, but at least one was not checked. */
    private static final int NOT_CHECKED = 3;

    private static final double MAX_SECONDS = 7 * 24 * 3600;
    private static final double CANARY_SECONDS = 60;
    private static final int MAX_BODIES = 1_000_000;

    private static final Table<Checked> CHECKS = new Table<Checked>()
            .left("promise", Checked::says)
            .left("result", Checked::result)
            .right("checked", check -> String.format(Locale.ROOT, "%,d", check.checked()));
    private static final Table<StressReport.Distribution> TIMES = new Table<StressReport.Distribution>()
            .left("slowest service", StressReport.Distribution::name)
            .right("p50", values -> number(values.p50()))
            .right("p99", values -> number(values.p99()))
            .right("p99.9", values -> number(values.p999()))
            .right("max", values -> number(values.max()));

    @Option(names = "--engine", paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}. Default: jolt.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options ownOptions;

    @Option(names = "--bodies", paramLabel = "N", defaultValue = "250", description = "How many bodies the world has.")
    private int bodies;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "60", description = "Length of the run.")
    private double seconds;

    @Option(
            names = "--worlds",
            showDefaultValue = Visibility.NEVER,
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How many worlds one host ticks: the service, and others that come and go, throw, hang or are slow."
                            + " Default: no host.")
    private int worlds;

    @Option(
            names = "--life",
            paramLabel = "S",
            defaultValue = "60",
            description = "Seconds after which a service is closed and another one started, at most.")
    private double life;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the storm. Default: another each time.")
    private @Nullable Long seed;

    @Option(
            names = "--tick-hz",
            paramLabel = "HZ",
            defaultValue = "100",
            description = "Ticks per second, a number or a fraction like 60000/1001.")
    private TickRate tickRate;

    @Option(
            names = "--only",
            showDefaultValue = Visibility.NEVER,
            split = ",",
            paramLabel = "PART",
            description = "Parts of the storm, of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<StormPart> only = List.of();

    @Option(
            names = "--without",
            showDefaultValue = Visibility.NEVER,
            split = ",",
            paramLabel = "PART",
            description = "Parts of the storm to leave out.")
    private List<StormPart> without = List.of();

    @Option(
            names = "--canary",
            description =
                    "Plant a fault for each promise, one at a time, for at most a minute each; each must be found.")
    private boolean canary;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of stress.html and stress.json.")
    private Path out;

    /** Performs the run; tests replace it by a function with results of their own. */
    private final Function<StressRun, StressReport> stress;

    private long drawnSeed;

    /**
     * Adapts an engine's world to {@link StressedWorld}. The world cannot implement this interface itself, because its module must not
     * depend on this one.
     */
    private static final class StressedEngine extends ForwardingSimulation implements StressedWorld {

        private final EngineBodies<?> world;

        StressedEngine(EngineBodies<?> world) {
            super(world);
            this.world = world;
        }

        @Override
        public void stress(RandomGenerator random) {
            world.stress(random);
        }
    }

    /** The content of the JSON file. The keys are the names of these components and of the report's. */
    record Found(
            String verdict,
            boolean held,
            List<String> neverChecked,
            String repeat,
            String java,
            int cores,
            StressReport report) {}

    SoakCommand() {
        this(StressRun::run);
    }

    SoakCommand(Function<StressRun, StressReport> stress) {
        this.stress = stress;
    }

    @Override
    public Integer call() {
        check("--bodies", bodies, 0, MAX_BODIES);
        checkLength("--seconds", seconds);
        checkLength("--life", life);
        drawnSeed = seed != null ? seed : new SplittableRandom().nextInt(1_000_000);
        OwnSimulation own = ownOptions.load(engine).orElse(null);
        StressRun run = prepare(own, seconds);
        if (!canary) {
            WholeFile.checkWritable("--out", html());
            WholeFile.checkWritable("--out", json());
        }
        say("Seed " + drawnSeed + ". To repeat: " + repeat());
        EndRequest.accept();
        return canary ? plant(own) : soak(run);
    }

    private static void checkLength(String option, double value) {
        if (!(value > 0 && value <= MAX_SECONDS)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "%s must be more than 0 and at most %.0f, but is %s", option, MAX_SECONDS, value));
        }
    }

    private StressRun prepare(@Nullable OwnSimulation own, double atMostSeconds) {
        Engine built = engine == null ? Engine.JOLT : engine;
        return StressRun.of(() -> {
                    Simulation world = own == null ? built.simulation(bodies) : own.create(bodies);
                    return world instanceof EngineBodies<?> engineWorld ? new StressedEngine(engineWorld) : world;
                })
                .name(own == null ? built + ", " + bodies + " bodies" : own.name())
                .rate(tickRate)
                .length(duration(atMostSeconds))
                .life(duration(life))
                .worlds(worlds)
                .seed(drawnSeed)
                .only(only)
                .without(without.toArray(StormPart[]::new));
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private Path html() {
        return out.resolve("stress.html");
    }

    private Path json() {
        return out.resolve("stress.json");
    }

    /** Returns the command line that repeats the same storm. */
    private String repeat() {
        String given = spec.commandLine().getParseResult().matchedOptions().stream()
                .filter(option -> !List.of("--seed", "--canary", "--out").contains(option.longestName()))
                .map(SoakCommand::asTyped)
                .collect(Collectors.joining());
        return spec.qualifiedName() + given + " --seed " + drawnSeed;
    }

    static String asTyped(OptionSpec option) {
        String value = String.join(",", option.originalStringValues());
        return " " + option.longestName() + " " + (value.matches("\\S*") ? value : '"' + value + '"');
    }

    private int soak(StressRun run) {
        StressReport report;
        try (ProgressBar bar = ProgressLine.of("soak", (long) seconds, " s")) {
            report = stress.apply(run.onProgress(soFar -> {
                bar.stepTo((long) soFar.seconds());
                bar.setExtraMessage(
                        String.format(Locale.ROOT, ", %,d checks, life %d", soFar.checkedInAll(), soFar.lives()));
                endIfAsked(run);
            }));
        }
        say(report.text());
        if (!report.held()) {
            say("To repeat: " + repeat());
        }
        try {
            write(report);
        } catch (UncheckedIOException e) { // exit code 1 and not 2, because the input was good
            say(e.getMessage() + "; all that is known is above");
            return 1;
        }
        say("Report: " + html() + "   JSON: " + json());
        if (!report.failure().isEmpty()) {
            return 1;
        }
        return report.heldInFull() ? 0 : NOT_CHECKED;
    }

    private void write(StressReport report) {
        String java = System.getProperty("java.vm.name") + " " + Runtime.version();
        int cores = Runtime.getRuntime().availableProcessors();
        Found found = new Found(report.verdict(), report.held(), report.neverChecked(), repeat(), java, cores, report);
        JsonFile.write(json(), found, "report");
        WholeFile.write(html(), page(report, repeat()).getBytes(StandardCharsets.UTF_8));
    }

    static String page(StressReport report, String repeat) {
        String title =
                String.format(Locale.ROOT, "%s: %,.0f s, seed %d", report.world(), report.seconds(), report.seed());
        boolean isBroken = !report.failure().isEmpty();
        List<String> notes = new ArrayList<>(List.of("To repeat this storm: " + repeat));
        notes.addAll(report.notes());
        Map<String, Object> values = Map.of(
                "headline",
                report.headline(),
                isBroken ? "library" : "surroundings",
                report.verdict(),
                "isBroken",
                isBroken,
                "isWell",
                report.heldInFull(),
                "title",
                title,
                "tables",
                List.of(table("", CHECKS, report.checks()), table("durations", TIMES, report.distributions())),
                "notes",
                notes);
        return ReportPage.html(values, List.of());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.3f", value);
    }

    private static <R> Map<String, Object> table(String style, Table<R> table, List<R> rows) {
        return Map.of("style", style, "headers", table.headers(), "rows", table.cells(rows));
    }

    private static void endIfAsked(StressRun run) {
        if (EndRequest.isMade()) {
            run.end();
        }
    }

    private int plant(@Nullable OwnSimulation own) {
        boolean allFound = true;
        int found = 0;
        for (Promise promise : StressRun.promises()) {
            StressRun run = prepare(own, Math.min(seconds, CANARY_SECONDS)).plant(promise);
            StressReport report = stress.apply(run.onProgress(soFar -> endIfAsked(run)));
            String why = report.leftOut().get(promise.toString());
            if (why != null) {
                say("Left out: " + promise + ", " + why);
                continue;
            }
            boolean isFound = report.foundBroken(promise);
            say(String.format(
                    Locale.ROOT,
                    "%s, planted: not '%s', %.1f s",
                    isFound ? "found" : "MISSED: " + report.verdict(),
                    promise.says(),
                    report.seconds()));
            allFound &= isFound;
            found += isFound ? 1 : 0;
            if (EndRequest.isMade()) {
                return 1;
            }
        }
        return allFound && found > 0 ? 0 : 1;
    }
}
