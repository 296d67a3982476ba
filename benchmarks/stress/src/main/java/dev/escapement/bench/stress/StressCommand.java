package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.stress.Scenario.Extent;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement stress}: tries to break services, processes and handoffs in scenarios with random faults, which seeds repeat. */
@Command(
        name = "stress",
        subcommands = SoakCommand.class,
        description = {
            "Tries to break the service, in scenarios that are drawn from seeds, and checks its promises independently.",
            "Promises hold on any machine and decide the verdict.",
            "Exit code: 0 all promises held, 1 one was broken or not checked, 2 the input was bad."
        })
public final class StressCommand extends ConsoleCommand {

    private static final int MAX_READERS = 8;

    @Parameters(
            paramLabel = "SCENARIO",
            arity = "0..*",
            showDefaultValue = Visibility.NEVER,
            description = {
                "fault-pairs: two faults strike a service, or its successor;",
                "failures: a world fails, hangs or ends its process, and another repeats it;",
                "handoffs: snapshots at full speed, to readers of different paces.",
                "Default: fault-pairs and failures."
            })
    private List<Scenario> scenarios = List.of(Scenario.FAULT_PAIRS, Scenario.FAILURES);

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "The first seed.")
    private long seed;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "How many seeds or handoffs. Default: 20 seeds, 100 million handoffs.")
    private @Nullable Long count;

    @Option(names = "--readers", paramLabel = "R", defaultValue = "3", description = "Readers of handoffs, 1 to 8.")
    private int readers;

    @Option(
            names = "--plant",
            paramLabel = "PROMISE",
            description = "A promise that is broken on purpose, which must be found: exit code 1.")
    private @Nullable Promise plant;

    /** Creates the command; picocli sets its options. */
    public StressCommand() {}

    @Override
    public Integer call() {
        if (count != null && count < 1) {
            throw new IllegalArgumentException("--count must be at least 1, but is " + count);
        }
        check("--readers", readers, 1, MAX_READERS);
        for (Scenario scenario : scenarios) {
            if (plant != null && !scenario.promises.contains(plant)) {
                throw new IllegalArgumentException(
                        "--plant: " + scenario + " does not check " + plant + ", but " + scenario.promises);
            }
        }
        boolean held = true;
        for (Scenario scenario : scenarios) {
            long times = count == null ? scenario.count : count;
            StressReport report;
            try (ProgressBar progress = ProgressLine.of(scenario.toString(), times, "")) {
                report = scenario.run(new Extent(seed, times, readers, progress::stepTo), plant);
            }
            say(report.text());
            held &= report.heldInFull();
        }
        return held ? 0 : 1;
    }
}
