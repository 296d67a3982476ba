package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement stress}: lets faults strike services and processes, which are drawn from seeds. */
@Command(
        name = "stress",
        subcommands = {SoakCommand.class, Handoffs.class, Rollbacks.class},
        description = {
            "Tries to break the service by faults that are drawn from seeds, and checks its promises independently.",
            "Promises hold on any machine and decide the verdict.",
            "Exit code: 0 all promises held, 1 one was broken or a file could not be written, 2 the input was bad."
        })
public final class StressCommand extends ConsoleCommand {

    /** Creates the command; picocli sets its options. */
    public StressCommand() {}

    /** A planted fault must be found within this many seeds. */
    private static final long MAX_PLANTED_SEEDS = 10_000;

    @Parameters(
            paramLabel = "SCENARIO",
            arity = "0..*",
            description = {
                "fault-pairs: two faults strike a service, or its successor;",
                "failures: a world fails, hangs or ends its process, and another repeats it. Default: both."
            })
    private List<String> names = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "The first seed.")
    private long seed;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "20", description = "How many seeds, a run each.")
    private long seeds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of stress.json, which is rewritten after each scenario.")
    private Path out;

    /** The run of a seed, which says to its trial what it is. */
    @FunctionalInterface
    private interface OfSeed {

        void run(Trial trial, long seed) throws Exception;
    }

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new IllegalArgumentException("--seeds must be at least 1, but is " + seeds);
        }
        List<Scenario> all = scenarios(seed, seeds);
        return stress(
                names.isEmpty()
                        ? all
                        : names.stream().map(name -> named(name, all)).toList());
    }

    private static Scenario named(String name, List<Scenario> all) {
        return all.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + all.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the scenarios, in the order in which they run. A failure names its seed; with that one as the first, the same faults strike
     * at the same moments.
     *
     * @param seeds how many; with a planted fault as many as it takes to find it
     */
    static List<Scenario> scenarios(long firstSeed, long seeds) {
        return List.of(
                ofSeeds("fault-pairs", PairRun.PROMISES, PairRun::run, firstSeed, seeds),
                ofSeeds("failures", FailingWorld.PROMISES, FailingWorld::run, firstSeed, seeds));
    }

    private static Scenario ofSeeds(String name, Set<Promise> promises, OfSeed ofSeed, long firstSeed, long seeds) {
        return new Scenario(name, firstSeed, promises, trial -> {
            long atMost = trial.planted() == null ? seeds : MAX_PLANTED_SEEDS;
            Exception failure = null;
            for (long seed = firstSeed; seed < firstSeed + atMost && !trial.isFound(); seed++) {
                try {
                    ofSeed.run(trial, seed);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) { // the next seeds run nevertheless
                    failure = failure == null ? new IllegalStateException("seed " + seed + ": " + e, e) : failure;
                }
            }
            if (failure != null) {
                throw failure;
            }
        });
    }

    /** The content of the file, named as its keys. */
    record Found(boolean held, String java, int cores, List<StressReport> scenarios) {}

    int stress(List<Scenario> scenarios) {
        Path json = out.resolve("stress.json");
        WholeFile.checkWritable("--out", json);
        List<StressReport> reports = new ArrayList<>();
        boolean held = true;
        try (ProgressBar progress = ProgressLine.of("stress", scenarios.size(), " scenarios")) {
            for (Scenario scenario : scenarios) {
                progress.setExtraMessage(" " + scenario.name());
                StressReport report = scenario.run(null);
                reports.add(report);
                held &= report.heldInFull();
                say(report.text());
                String java = System.getProperty("java.vm.name") + " " + Runtime.version();
                JsonFile.write(json, new Found(held, java, Runtime.getRuntime().availableProcessors(), reports));
                progress.step();
            }
        }
        say("JSON: " + json);
        return held ? 0 : 1;
    }
}
