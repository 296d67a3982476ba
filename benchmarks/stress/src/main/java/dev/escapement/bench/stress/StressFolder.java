package dev.escapement.bench.stress;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.TrialRun;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder with all that is known so far. Each file is rewritten, whole, after each scenario, so what follows cannot lose what came
 * before; a file that cannot be written is tried again after the next scenario.
 */
final class StressFolder {

    private final Path page;
    private final Path json;
    private final List<StressPage.Section> sections = new ArrayList<>();
    private String failure = "";

    /** Everything that was found, under the names of the JSON file's keys: how many scenarios held, and so on, and what came of each. */
    record StressFile(
            String java,
            int cores,
            long held,
            long broken,
            long skipped,
            List<Outcome> scenarios,
            List<Gate.Verdict> gate) {}

    /**
     * Makes the folder, if there is none.
     *
     * @throws IllegalArgumentException if nothing can be written there
     */
    StressFolder(Path folder) {
        page = folder.resolve("stress.html");
        json = folder.resolve("stress.json");
        WholeFile.checkWritable("--out", page);
        WholeFile.checkWritable("--out", json);
    }

    /** Keeps what came of a scenario. Never throws because of the folder: see {@link #failure()}. */
    void keep(TrialRun run) {
        sections.add(StressPage.Section.of(run));
        write(List.of());
    }

    /** Keeps which figures are within their limits, after all scenarios. Never throws because of the folder. */
    void keep(Gate gate) {
        write(gate.verdicts());
    }

    private void write(List<Gate.Verdict> gated) {
        List<Outcome> outcomes = outcomes();
        StressFile file = new StressFile(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Outcome.count(outcomes, Outcome.Verdict.HELD),
                Outcome.count(outcomes, Outcome.Verdict.BROKEN),
                Outcome.count(outcomes, Outcome.Verdict.SKIPPED),
                outcomes,
                gated);
        failure = "";
        write(() -> JsonFile.write(json, file));
        write(() -> HtmlPage.write(page, StressPage.html(file, sections)));
    }

    private void write(Runnable writing) {
        try {
            writing.run();
        } catch (UncheckedIOException e) {
            failure = failure.isEmpty() ? String.valueOf(e.getMessage()) : failure;
        }
    }

    List<Outcome> outcomes() {
        return sections.stream().map(StressPage.Section::outcome).toList();
    }

    /** Why files do not have all that is known, empty if they do. */
    String failure() {
        return failure;
    }

    /** Which files there are, in a line. */
    @Override
    public String toString() {
        return "Page: " + page + "   JSON: " + json;
    }
}
