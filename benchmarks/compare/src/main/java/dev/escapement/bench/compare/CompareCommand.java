package dev.escapement.bench.compare;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement compare}: compares game loops and thread patterns with the service. */
@Command(
        name = "compare",
        description = {
            "Measures how evenly the picture moves with every game loop of the literature, and with Escapement.",
            "Runs those loops, and the usual patterns between a physics thread and a renderer, over the same simulation,"
                    + " loads and displays, on a virtual clock: exact, and the same on every machine. Also measures how old the"
                    + " picture is, and whether the world keeps real time. Prints one load; the JSON file has all."
        })
public final class CompareCommand extends ConsoleCommand {

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "heavy",
            description = "The load of the table that is printed: ${COMPLETION-CANDIDATES}.")
    private Profile profile;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of compare.json.")
    private Path out;

    @Override
    public Integer call() {
        Path jsonFile = out.resolve("compare.json");
        WholeFile.checkWritable("--out", jsonFile);
        List<Case> cases = new ArrayList<>(Case.all());
        cases.sort(Comparator.comparing((Case run) -> !profile.loads().contains(run.load()))
                .thenComparing(Case::contestant));
        List<Result> results = results(cases);
        if (results.size() < cases.size()) {
            say("Ended after " + results.size() + " of " + cases.size() + " runs.");
        }
        say(CompareTable.text(results, profile));
        say(CompareTable.legend(profile));
        JsonFile.write(jsonFile, new Json(results));
        say("JSON: " + jsonFile);
        CompareTable.verdict(results, profile).ifPresent(this::say);
        return 0;
    }

    record Json(List<Result> onVirtualClock) {}

    /**
     * Measures the cases in order until Ctrl-C. The table then shows only the contestants that were already measured at every pair of
     * rates.
     */
    private static List<Result> results(List<Case> cases) {
        try (ProgressBar progress = ProgressLine.of("virtual clock", cases.size(), " runs")) {
            EndRequest.accept();
            return cases.stream()
                    .takeWhile(run -> !EndRequest.isMade())
                    .map(VirtualContest::measure)
                    .peek(result -> progress.step())
                    .toList();
        }
    }
}
