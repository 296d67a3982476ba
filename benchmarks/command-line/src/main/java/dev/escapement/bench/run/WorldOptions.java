package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.state.time.TickRate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the world that a command simulates. */
final class WorldOptions {

    @Option(names = "--engine", paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options own = new OwnSimulation.Options();

    // A laptop with two cores holds this many without skipping ticks: a step takes 2 ms of its 10, the machine's parts
    // included.
    @Option(
            names = "--bodies",
            paramLabel = "N",
            defaultValue = "250",
            showDefaultValue = Visibility.NEVER,
            description = "How many bodies (${DEFAULT-VALUE}).")
    private int bodies;

    @Option(
            names = "--tick-hz",
            paramLabel = "HZ",
            defaultValue = "100",
            showDefaultValue = Visibility.NEVER,
            description = "Ticks per second (${DEFAULT-VALUE}); also 60000/1001.")
    private TickRate tickRate = TickRate.hertz(1);

    /** The engine that was asked for. */
    @Nullable
    Engine engine() {
        return engine;
    }

    /** Loads the class of --simulation. Throws an {@link IllegalArgumentException} if it cannot, or if an engine is named, too. */
    Optional<OwnSimulation> own() {
        return own.load(engine);
    }

    int bodies() {
        return bodies;
    }

    TickRate tickRate() {
        return tickRate;
    }
}
