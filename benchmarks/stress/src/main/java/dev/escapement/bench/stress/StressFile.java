package dev.escapement.bench.stress;

import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.stress.trial.Outcome;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file with all that is known so far. It is rewritten, whole, after each scenario, so what follows cannot lose what came before; if it
 * cannot be written, that is tried again after the next scenario.
 */
final class StressFile {

    private final Path json;
    private final List<Outcome> outcomes = new ArrayList<>();
    private String failure = "";

    /** Everything that was found, under the names of the file's keys: how many scenarios held, and so on, and what came of each. */
    private record Found(String java, int cores, long held, long broken, List<Outcome> scenarios) {}

    /**
     * Makes the folder, if there is none.
     *
     * @throws IllegalArgumentException if nothing can be written there
     */
    StressFile(Path folder) {
        json = folder.resolve("stress.json");
        WholeFile.checkWritable("--out", json);
    }

    /** Keeps what came of a scenario. Never throws because of the folder: see {@link #failure()}. */
    void keep(Outcome outcome) {
        outcomes.add(outcome);
        long held = outcomes.stream().filter(Outcome::held).count();
        Found found = new Found(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                held,
                outcomes.size() - held,
                outcomes);
        try {
            JsonFile.write(json, found);
            failure = "";
        } catch (UncheckedIOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    /** Why the file does not have all that is known, empty if it does. */
    String failure() {
        return failure;
    }

    /** Where it is, in a line. */
    @Override
    public String toString() {
        return "JSON: " + json;
    }
}
