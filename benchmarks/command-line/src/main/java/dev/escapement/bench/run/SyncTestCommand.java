package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.SyncTest;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement sync-test}: whether an engine's saved states are whole. */
@Command(
        name = "sync-test",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Steps an engine twice through every tick, from the same saved state with the same pushes, and compares.",
            "Exit code: 0 no difference, 1 the first difference is named, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class SyncTestCommand extends ConsoleCommand {

    private static final int MOST_TICKS = 1_000_000;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "jolt",
            description = "One that can save its state: jolt, spring.")
    private Engine engine;

    @Option(names = "--bodies", paramLabel = "N", defaultValue = "1000", description = "How many bodies.")
    private int bodies;

    @Option(names = "--ticks", paramLabel = "N", defaultValue = "500", description = "How many ticks.")
    private int ticks;

    @Override
    public Integer call() {
        check("--bodies", bodies, 0, RunOptions.MAX_BODIES);
        check("--ticks", ticks, 1, MOST_TICKS);
        Optional<Divergence> divergence =
                test(syncTest(World.create(engine, bodies).simulation()));
        say(engine + ", " + bodies + " bodies: "
                + divergence
                        .map(difference ->
                                "run again from its saved state, not every tick leads to the same state: " + difference)
                        .orElse(ticks + " ticks, each run twice from its saved state, led to the same states."));
        return divergence.isEmpty() ? 0 : 1;
    }

    private SyncTest syncTest(Simulation simulation) {
        if (!(simulation instanceof Restorable)) {
            simulation.close();
            throw new IllegalArgumentException("--engine " + engine
                    + " cannot save its state, which a sync-test restores at every tick; name another");
        }
        return SyncTest.of((Simulation & Restorable) simulation);
    }

    private Optional<Divergence> test(SyncTest test) {
        try (PushedWorld world = new PushedWorld(test, bodies);
                ProgressBar progress = ProgressLine.of("sync-test", ticks, " ticks")) {
            for (int tick = 1; tick <= ticks && test.divergence().isEmpty(); tick++) {
                world.prepare();
                world.tick();
                progress.stepTo(tick);
            }
            return test.divergence();
        }
    }
}
