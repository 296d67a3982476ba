package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.stress.scenario.HandoffStress;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement handoffs}: tries to break the handoff. */
@Command(
        name = "handoffs",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Hands over snapshots at full speed to readers of different paces and verifies every window.",
            "Exit code: 0 all guarantees held, 1 one was broken, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class HandoffsCommand extends ConsoleCommand {

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "100000000",
            description = "How many snapshots to publish.")
    private long handoffs;

    @Option(names = "--readers", paramLabel = "R", defaultValue = "3", description = "How many readers, 1 to 8.")
    private int readers;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private long seed;

    @Option(
            names = "--plant",
            paramLabel = "FAULT",
            defaultValue = "none",
            description = "${COMPLETION-CANDIDATES}: a fault planted on purpose, which must be found.")
    private Plant plant;

    /** A fault planted on purpose, to see that it is found. */
    private enum Plant {
        /** Nothing: this is the test. */
        NONE,
        /** Now and then the writer writes into the snapshot it published last. */
        WRITE_AFTER_PUBLISH
    }

    @Override
    public Integer call() throws InterruptedException {
        if (handoffs < 1) {
            throw new IllegalArgumentException("--count must be positive, but is " + handoffs);
        }
        Outcome found;
        try (ProgressBar progress = ProgressLine.of("handoffs", handoffs, "")) {
            Scenario scenario = HandoffStress.scenario(readers, seed, handoffs, progress::stepTo);
            found = TrialRun.of(scenario, 0, plant == Plant.NONE ? null : Promise.WHOLE)
                    .outcome();
        }
        if (!found.reason().isEmpty()) {
            throw new IllegalStateException(found.reason());
        }
        boolean held = found.verdict() == Verdict.HELD;
        say(String.format(
                Locale.ROOT,
                "%,d handoffs, %,.0f windows taken, %,.0f verified, %,.0f times attached: "
                        + "%,d torn, %,d gaps, %,d backwards, %,d stale%n%s",
                handoffs,
                found.figures().get(0).value(),
                found.figures().get(1).value(),
                found.figures().get(2).value(),
                found.broken(Promise.WHOLE),
                found.broken(Promise.CONSECUTIVE),
                found.broken(Promise.FORWARDS),
                found.broken(Promise.FRESH),
                held ? "All guarantees held." : "FAULT: a guarantee was broken."));
        return held ? 0 : 1;
    }
}
