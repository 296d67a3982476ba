package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement stress}: runs every known way to break the service. */
@Command(
        name = "stress",
        subcommands = {SoakCommand.class, HandoffsCommand.class, RollbacksCommand.class},
        description = {
            "Tries to break the service in every known way, and checks its promises independently.",
            "Promises hold on any machine and decide the verdict; metrics are of this machine: 'machine' finds what delays its ticks.",
            "Exit code: 0 all promises held, 1 one was broken or a file could not be written, 2 the input was bad."
        })
public final class StressCommand extends ConsoleCommand {

    private static final double MAX_SECONDS = 1_000_000;

    @Parameters(paramLabel = "SCENARIO", arity = "0..*", description = "Names of scenarios; all by default.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "List the scenarios and their checks, and run none.")
    private boolean list;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "Length of each scenario; some need longer.")
    private double seconds;

    @Option(
            names = "--canary",
            description = "Plant a fault for each check of each scenario, one at a time; each must be found.")
    private boolean canary;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "First seed of fault-pairs or failures; the next ones follow. Default: 1.")
    private @Nullable Long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of seeds of these, independent of --seconds. Default: as many as there is time for.")
    private @Nullable Long seeds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of stress.json, which is rewritten after each scenario.")
    private Path out;

    @Override
    public Integer call() {
        refuseIf(
                !(seconds > 0 && seconds <= MAX_SECONDS),
                "--seconds must be more than 0 and at most " + MAX_SECONDS + ", but is " + seconds);
        refuseIf(list && canary, "--list runs nothing, --canary does; leave one out");
        List<Scenario> scenarios = seed == null && seeds == null ? Scenarios.named(names) : List.of(seedRuns());
        if (list) {
            say(StressTable.LIST.textWithoutBorders(scenarios));
            return 0;
        }
        return canary ? plant(scenarios) : stress(scenarios);
    }

    private static void refuseIf(boolean bad, String says) {
        if (bad) {
            throw new IllegalArgumentException(says);
        }
    }

    private Scenario seedRuns() {
        refuseIf(
                names.size() != 1 || !Scenarios.OF_SEEDS.contains(names.get(0)),
                "--seed and --seeds are for one of " + Scenarios.OF_SEEDS + "; name one of these, and no other");
        refuseIf(seeds != null && seeds < 1, "--seeds must be at least 1, but is " + seeds);
        return Scenarios.ofSeeds(names.get(0), seed == null ? Scenarios.FIRST_SEED : seed, seeds == null ? 0 : seeds);
    }

    /** The content of the file, named as its keys. */
    record Found(String java, int cores, long held, long broken, List<Outcome> scenarios) {

        static Found of(List<Outcome> outcomes) {
            long held = outcomes.stream().filter(Outcome::held).count();
            return new Found(
                    System.getProperty("java.vm.name") + " " + Runtime.version(),
                    Runtime.getRuntime().availableProcessors(),
                    held,
                    outcomes.size() - held,
                    outcomes);
        }
    }

    int stress(List<Scenario> scenarios) {
        Path json = out.resolve("stress.json");
        WholeFile.checkWritable("--out", json);
        List<Outcome> outcomes = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("stress", scenarios.size(), " scenarios")) {
            for (Scenario scenario : scenarios) {
                progress.setExtraMessage(" " + scenario.name());
                outcomes.add(scenario.run(lengthNanos(), null));
                JsonFile.write(json, Found.of(outcomes)); // before the next begins
                progress.step();
            }
        } finally {
            say(StressTable.text(outcomes));
        }
        say("JSON: " + json);
        return outcomes.stream().allMatch(Outcome::held) ? 0 : 1;
    }

    private long lengthNanos() {
        return (long) (seconds * 1e9);
    }

    /** A fault planted on purpose, and whether its check found it. */
    record Canary(String scenario, Promise promise, boolean found) {}

    private int plant(List<Scenario> scenarios) {
        List<Canary> canaries = new ArrayList<>();
        int promises = scenarios.stream().mapToInt(s -> s.promises().size()).sum();
        try (ProgressBar progress = ProgressLine.of("canaries", promises, "")) {
            for (Scenario scenario : scenarios) {
                for (Promise promise : scenario.promises()) {
                    progress.setExtraMessage(" " + scenario.name() + " " + promise);
                    Outcome outcome = scenario.run(lengthNanos(), promise);
                    canaries.add(new Canary(scenario.name(), promise, outcome.foundBroken(promise)));
                    progress.step();
                }
            }
        }
        say(StressTable.CANARIES.text(canaries));
        return canaries.stream().allMatch(Canary::found) ? 0 : 1;
    }
}
