package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement stress handoffs}: tries to break the handoff. */
@Command(
        name = "handoffs",
        description = {
            "Hands over snapshots at full speed to readers of different paces and verifies every window.",
            "Exit code: 0 all guarantees held, 1 one was broken, 2 the input was bad."
        })
final class HandoffsCommand extends ConsoleCommand {

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
            description = "${COMPLETION-CANDIDATES}: a fault planted on purpose, which must be found.")
    private @Nullable Plant plant;

    /** A fault planted on purpose, to see that it is found. */
    private enum Plant {
        /** Now and then the writer writes into the snapshot it published last. */
        WRITE_AFTER_PUBLISH
    }

    @Override
    public Integer call() {
        if (handoffs < 1) {
            throw new IllegalArgumentException("--count must be positive, but is " + handoffs);
        }
        Outcome found;
        try (ProgressBar progress = ProgressLine.of("handoffs", handoffs, "")) {
            Promise planted = plant == null ? null : Promise.WHOLE;
            found = HandoffStress.scenario(readers, seed, handoffs, progress::stepTo)
                    .run(planted);
        }
        say(found.text());
        return found.held() ? 0 : 1;
    }
}
