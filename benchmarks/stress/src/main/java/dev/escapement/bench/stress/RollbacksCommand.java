package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement stress rollbacks}: looks for a rollback after which a world differs. */
@Command(
        name = "rollbacks",
        description = {
            "Lets worlds of Jolt and of springs go back at random, and compares each tick with a world that did not.",
            "Exit code: 0 all states were equal, 1 one differed, 2 the input was bad."
        })
final class RollbacksCommand extends ConsoleCommand {

    @Option(names = "--count", paramLabel = "N", defaultValue = "2000", description = "Number of rollbacks.")
    private int rollbacks;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private int seed;

    @Override
    public Integer call() {
        check("--count", rollbacks, 1, 10_000_000);
        Outcome found;
        try (ProgressBar progress = ProgressLine.of("rollbacks", rollbacks, "")) {
            found = Rollbacks.scenario(seed, rollbacks, progress::stepTo).run(null);
        }
        say(found.text());
        return found.held() ? 0 : 1;
    }
}
