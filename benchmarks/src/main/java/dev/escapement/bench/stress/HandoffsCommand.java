package dev.escapement.bench.stress;

import dev.escapement.bench.report.ProgressLine;
import java.util.Locale;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
public final class HandoffsCommand implements Callable<Integer> {

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
    private HandoffStress.Plant plant;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (handoffs < 1) {
            throw new IllegalArgumentException("--count must be positive, but is " + handoffs);
        }
        HandoffStress stress = new HandoffStress(readers, seed, plant);
        Findings found;
        try (ProgressBar progress = ProgressLine.of("handoffs", handoffs, "")) {
            found = stress.run(handoffs, progress::stepTo);
        }
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%,d handoffs, %,d windows taken, %,d verified, %,d times attached: "
                                + "%,d torn, %,d gaps, %,d backwards, %,d stale%n%s%n",
                        handoffs,
                        found.windows(),
                        found.checks(),
                        found.attached(),
                        found.torn(),
                        found.gaps(),
                        found.backwards(),
                        found.stale(),
                        found.isClean() ? "All guarantees held." : "FAULT: a guarantee was broken.");
        return found.isClean() ? 0 : 1;
    }
}
