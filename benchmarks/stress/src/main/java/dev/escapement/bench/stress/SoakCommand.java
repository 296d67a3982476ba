package dev.escapement.bench.stress;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.soak.StormPart;
import dev.escapement.bench.soak.StressReport;
import dev.escapement.bench.soak.StressRun;
import dev.escapement.bench.stress.StressCommand.Canary;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.TickRate;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code escapement stress soak}: a world under everything at once, for a minute or a night. */
@Command(
        name = "soak",
        description = {
            "Stresses a world by everything that a game, its players, its network and its machine do to it, at once, and checks every"
                    + " promise all the time.",
            "Exit code: 0 all promises held, 1 one was broken or a file could not be written, 2 the input was bad, 3 one was not checked."
        })
final class SoakCommand extends ConsoleCommand {

    /** The exit code if no promise was broken, and one was not checked. */
    private static final int NOT_CHECKED = 3;

    private static final double MAX_SECONDS = 7 * 24 * 3600;
    private static final double CANARY_SECONDS = 60;
    private static final double USUAL_SECONDS = 60;
    private static final int MAX_BODIES = 1_000_000;
    private static final int MAX_SERVICES = 100;
    private static final int MAX_WORLDS = 10_000;
    private static final double WRITE_EVERY_SECONDS = 10;

    @Option(names = "--engine", paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}. Default: jolt.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options ownOptions;

    @Option(names = "--bodies", paramLabel = "N", defaultValue = "250", description = "How many bodies the world has.")
    private int bodies;

    @ArgGroup(exclusive = true)
    private @Nullable Length length;

    /** How long it runs. */
    private static final class Length {

        @Option(names = "--seconds", paramLabel = "S", description = "Length of the run. Default: 60.")
        private @Nullable Double seconds;

        @Option(names = "--hours", paramLabel = "H", description = "Length of the run, in hours.")
        private @Nullable Double hours;
    }

    @Option(names = "--services", paramLabel = "N", defaultValue = "1", description = "How many services run at once.")
    private int services;

    @Option(
            names = "--worlds",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How many worlds one host ticks: the services, and others that come and go, throw, hang or are"
                            + " slow. Default: no host.")
    private int worlds;

    @Option(
            names = "--life",
            paramLabel = "S",
            description = "Seconds after which a service is closed and another one started, at most. Default: 60.")
    private @Nullable Double life;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "What the storm is drawn from. Default: another each time.")
    private @Nullable Long seed;

    @Option(
            names = "--tick-hz",
            paramLabel = "HZ",
            defaultValue = "100",
            description = "Ticks per second, a number or a fraction like 60000/1001.")
    private TickRate tickRate;

    @ArgGroup(exclusive = true)
    private @Nullable Parts parts;

    /** Which parts of the storm take part. */
    private static final class Parts {

        @Option(
                names = "--only",
                split = ",",
                paramLabel = "PART",
                description = "Parts of the storm, of ${COMPLETION-CANDIDATES}. Default: all.")
        private @Nullable List<StormPart> only;

        @Option(names = "--without", split = ",", paramLabel = "PART", description = "Parts of the storm to leave out.")
        private @Nullable List<StormPart> without;
    }

    @Option(
            names = "--canary",
            description =
                    "Plant a fault for each promise, one at a time, for at most a minute each; each must be found.")
    private boolean canary;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of stress.html and stress.json, which are rewritten every 10 s.")
    private Path out;

    /** How a world is stressed. */
    @FunctionalInterface
    interface Stress {

        /** Runs with these options, and a fault planted if there is one; the listener says whether to go on, about once a second. */
        StressReport run(
                SoakCommand options, Supplier<Simulation> worlds, @Nullable Promise planted, Progress progress);
    }

    /** Gets what was found so far. */
    @FunctionalInterface
    interface Progress {

        /** Whether the run is to go on. */
        boolean goesOn(StressReport soFar);
    }

    private final Stress stress;
    private String name = "";
    private long drawnSeed;
    private double seconds;

    /** The world of the command line. */
    SoakCommand() {
        this(SoakCommand::stress);
    }

    SoakCommand(Stress stress) {
        this.stress = stress;
    }

    /** The content of the file, named as its keys, those of the report included. */
    record Found(
            String verdict,
            boolean held,
            List<Promise> neverChecked,
            String repeat,
            String java,
            int cores,
            StressReport report) {}

    @Override
    public Integer call() {
        check("--bodies", bodies, 0, MAX_BODIES);
        check("--services", services, 1, MAX_SERVICES);
        check("--worlds", worlds, 0, MAX_WORLDS);
        seconds = seconds();
        if (life != null) {
            checkLength("--life", life, 1);
        }
        drawnSeed = seed != null ? seed : new SplittableRandom().nextInt(1_000_000);
        OwnSimulation own = ownOptions.load(engine).orElse(null);
        Engine built = engine == null ? Engine.JOLT : engine;
        name = own == null ? built + ", " + bodies + " bodies" : own.name();
        if (!canary) {
            WholeFile.checkWritable("--out", html());
            WholeFile.checkWritable("--out", json());
        }
        // The first one here: what a constructor throws is bad input.
        AtomicReference<@Nullable Simulation> first =
                new AtomicReference<>(own == null ? built.simulation(bodies) : own.create(bodies));
        Supplier<Simulation> worlds = () -> {
            Simulation made = first.getAndSet(null);
            return made != null ? made : own == null ? built.simulation(bodies) : own.create(bodies);
        };
        say("Seed " + drawnSeed + ". To repeat: " + repeat());
        EndRequest.accept();
        return canary ? plant(worlds) : soak(worlds);
    }

    private double seconds() {
        if (length != null && length.hours != null) {
            checkLength("--hours", length.hours, 3600);
            return length.hours * 3600;
        }
        double given = length == null || length.seconds == null ? USUAL_SECONDS : length.seconds;
        checkLength("--seconds", given, 1);
        return given;
    }

    private static void checkLength(String option, double value, int secondsEach) {
        double max = MAX_SECONDS / secondsEach;
        if (!(value > 0 && value <= max)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "%s must be more than 0 and at most %.0f, but is %s", option, max, value));
        }
    }

    private Path html() {
        return out.resolve("stress.html");
    }

    private Path json() {
        return out.resolve("stress.json");
    }

    /** The command that draws the same storm again. */
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

    private static StressReport stress(
            SoakCommand options, Supplier<Simulation> worlds, @Nullable Promise planted, Progress progress) {
        StressRun run = StressRun.of(worlds)
                .name(options.name)
                .rate(options.tickRate)
                .length(duration(planted == null ? options.seconds : Math.min(options.seconds, CANARY_SECONDS)))
                .services(options.services)
                .worlds(options.worlds)
                .seed(options.drawnSeed);
        if (options.life != null) {
            run.life(duration(options.life));
        }
        Parts parts = options.parts;
        if (parts != null && parts.only != null) {
            run.only(parts.only.toArray(StormPart[]::new));
        }
        if (parts != null && parts.without != null) {
            run.without(parts.without.toArray(StormPart[]::new));
        }
        if (planted != null) {
            run.plant(planted);
        }
        return run.onProgress(soFar -> {
                    if (!progress.goesOn(soFar)) {
                        run.end();
                    }
                })
                .run();
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private int soak(Supplier<Simulation> worlds) {
        StressReport report;
        try (ProgressBar bar = ProgressLine.of("soak " + name, (long) seconds, " s")) {
            report = stress.run(this, worlds, null, new Watching(bar));
        }
        say(report.text());
        if (!report.held()) {
            say("To repeat: " + repeat());
        }
        try {
            write(report);
        } catch (UncheckedIOException e) { // no bad input, even if the folder is gone
            say(e.getMessage() + "; all that is known is above");
            return 1;
        }
        say("Report: " + html() + "   JSON: " + json());
        if (!report.failure().isEmpty()) {
            return 1;
        }
        return report.held() && report.gaps().isEmpty() ? 0 : NOT_CHECKED;
    }

    private void write(StressReport report) {
        String java = System.getProperty("java.vm.name") + " " + Runtime.version();
        int cores = Runtime.getRuntime().availableProcessors();
        Found found = new Found(report.verdict(), report.held(), report.neverChecked(), repeat(), java, cores, report);
        JsonFile.write(json(), found, "report");
        WholeFile.write(html(), SoakPage.html(report, repeat()).getBytes(StandardCharsets.UTF_8));
    }

    /** Shows and keeps what was found so far. */
    private final class Watching implements Progress {

        private final ProgressBar bar;
        private double writtenSeconds;
        private List<String> storm = List.of();
        private boolean saidBroken;

        Watching(ProgressBar bar) {
            this.bar = bar;
        }

        @Override
        public boolean goesOn(StressReport soFar) {
            bar.stepTo((long) soFar.seconds());
            bar.setExtraMessage(
                    String.format(Locale.ROOT, ", %,d checks, life %d", soFar.checkedInAll(), soFar.lives()));
            if (!storm.equals(soFar.storm())) {
                storm = soFar.storm();
                int others = storm.size() - 1;
                say(storm.get(0) + (others == 0 ? "" : "; and " + others + " more")); // the file has all
            }
            if (!saidBroken && !soFar.held() && soFar.checkedInAll() > 0) {
                saidBroken = true;
                say(soFar.verdict());
                say("To repeat: " + repeat());
            }
            if (soFar.seconds() - writtenSeconds >= WRITE_EVERY_SECONDS) {
                writtenSeconds = soFar.seconds();
                try {
                    write(soFar);
                } catch (UncheckedIOException e) {
                    say(e.getMessage() + "; the run goes on, and tries again"); // a full disk may have room again
                }
            }
            return !EndRequest.isMade();
        }
    }

    private int plant(Supplier<Simulation> worlds) {
        List<Canary> canaries = new ArrayList<>();
        Map<Promise, String> unchecked = new LinkedHashMap<>();
        List<Promise> promises = StressRun.promises().stream().sorted().toList();
        try (ProgressBar bar = ProgressLine.of("canaries", promises.size(), "")) {
            for (Promise promise : promises) {
                if (EndRequest.isMade()) {
                    break;
                }
                bar.setExtraMessage(" " + promise);
                StressReport report =
                        stress.run(this, worlds, promise, soFar -> !isFound(soFar, promise) && !EndRequest.isMade());
                String why = report.leftOut().get(promise.toString());
                if (why != null) {
                    unchecked.put(promise, why);
                } else {
                    canaries.add(new Canary("soak", promise, isFound(report, promise)));
                    if (!isFound(report, promise)) {
                        say(promise + " was not found: " + report.verdict());
                    }
                }
                bar.step();
            }
        }
        say(StressTable.CANARIES.text(canaries));
        unchecked.forEach((promise, why) -> say("Left out: " + promise + ", " + why));
        boolean isThrough = canaries.size() + unchecked.size() == promises.size();
        return isThrough && !canaries.isEmpty() && canaries.stream().allMatch(Canary::found) ? 0 : 1;
    }

    private static boolean isFound(StressReport report, Promise promise) {
        return report.checks().stream().anyMatch(check -> check.promise() == promise && check.broken() > 0);
    }
}
