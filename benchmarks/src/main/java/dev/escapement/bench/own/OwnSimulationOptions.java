package dev.escapement.bench.own;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a simulation of the user's own, for commands that can run one. */
public final class OwnSimulationOptions {

    @Option(
            names = "--simulation",
            paramLabel = "CLASS",
            description =
                    "Run a Simulation of your own: a public class with a public constructor that takes the number of"
                            + " bodies (int) or nothing.")
    private @Nullable String simulation;

    @Option(
            names = "--classpath",
            paramLabel = "JAR[:JAR]",
            description = "Where that class and what it needs are found, jars or folders.")
    private @Nullable String classpath;

    /** Set by picocli. */
    public OwnSimulationOptions() {}

    /**
     * The simulation, if one was named.
     *
     * @throws IllegalArgumentException if it cannot be loaded, or a class path was given for nothing
     */
    public Optional<OwnSimulation> load() {
        if (simulation == null) {
            if (classpath != null) {
                throw new IllegalArgumentException(
                        "--classpath says where --simulation CLASS is found, but none is named");
            }
            return Optional.empty();
        }
        return Optional.of(OwnSimulation.load(simulation, classpath == null ? "" : classpath));
    }
}
