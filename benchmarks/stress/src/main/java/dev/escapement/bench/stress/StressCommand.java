package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement stress}: lets faults strike services and processes. */
@Command(
        name = "stress",
        subcommands = {SoakCommand.class, HandoffsCommand.class, RollbacksCommand.class},
        description = {
            "Tries to break the service by faults that are drawn from seeds, and checks its promises independently.",
            "Promises hold on any machine and decide the verdict.",
            "Exit code: 0 all promises held, 1 one was broken or a file could not be written, 2 the input was bad."
        })
public final class StressCommand extends ConsoleCommand {

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

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new IllegalArgumentException("--seeds must be at least 1, but is " + seeds);
        }
        List<Scenario> all = Scenarios.all(seed, seeds);
        List<Scenario> scenarios = names.isEmpty()
                ? all
                : names.stream().map(name -> named(name, all)).toList();
        return stress(scenarios);
    }

    private static Scenario named(String name, List<Scenario> all) {
        if (name.equals("input-flood")) { // of version 0.3.0
            throw new IllegalArgumentException("'stress soak --only input' does what 'stress input-flood' did");
        }
        return all.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + all.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /** The content of the file, named as its keys. */
    record Found(String java, int cores, List<Outcome> scenarios) {}

    int stress(List<Scenario> scenarios) {
        Path json = out.resolve("stress.json");
        WholeFile.checkWritable("--out", json);
        List<Outcome> outcomes = new ArrayList<>();
        String java = System.getProperty("java.vm.name") + " " + Runtime.version();
        try (ProgressBar progress = ProgressLine.of("stress", scenarios.size(), " scenarios")) {
            for (Scenario scenario : scenarios) {
                progress.setExtraMessage(" " + scenario.name());
                Outcome outcome = scenario.run(null);
                outcomes.add(outcome);
                say(outcome.text());
                Found found = new Found(java, Runtime.getRuntime().availableProcessors(), outcomes);
                JsonFile.write(json, found); // before the next begins
                progress.step();
            }
        }
        say("JSON: " + json);
        return outcomes.stream().allMatch(Outcome::held) ? 0 : 1;
    }
}
