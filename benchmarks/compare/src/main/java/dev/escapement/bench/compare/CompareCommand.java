package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement compare}: game loops and thread patterns, beside the service. */
@Command(
        name = "compare",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Shows how evenly the picture moves with every game loop of the literature, and with this.",
            "Runs those loops, and the patterns that people use between a physics thread and a renderer, over the same simulation,"
                    + " loads and displays, on a virtual clock: exact, and the same on every machine. Also shows how old the"
                    + " picture is, and whether the world keeps time. Prints one load; the page and the JSON file have all.",
            "Then some of them run on real threads, for two minutes by default; let nothing else run meanwhile."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class CompareCommand extends ConsoleCommand {

    private static final int WARM_UP_SECONDS = 3;
    private static final int MOST_SECONDS = 3600;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "heavy",
            description = "The load of the table that is printed: ${COMPLETION-CANDIDATES}.")
    private LoadProfile profile;

    @Option(
            names = "--full",
            description = "Everything on real threads too, not a selection. The virtual clock always has everything.")
    private boolean full;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "6",
            description = "How long each is measured on real threads; 0 for none.")
    private int seconds;

    @Option(names = "--live", arity = "0..1", hidden = true, description = "Is no more: see 'run --live'.")
    private @Nullable String live;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of compare.html and compare.json.")
    private Path out;

    @Override
    public Integer call() {
        if (live != null) {
            throw new IllegalArgumentException(
                    "compare --live is no more; use 'run --live' and add ?pictures=3 to its address");
        }
        Path jsonFile = out.resolve("compare.json");
        Path page = out.resolve("compare.html");
        WholeFile.checkWritable("--out", jsonFile);
        WholeFile.checkWritable("--out", page);
        check("--seconds", seconds, 0, MOST_SECONDS);
        List<Result> onVirtualClock = onVirtualClock();
        say("On a virtual clock");
        say(ComparePage.text(onVirtualClock, profile));
        say(ComparePage.LEGEND);
        RealComparison onRealThreads = seconds == 0 ? null : onRealThreads();
        if (onRealThreads != null) {
            say("On real threads of this machine");
            say(ComparePage.text(onRealThreads.results(), profile));
            say(onRealThreads.machineVerdict());
        }
        Comparison comparison = new Comparison(onVirtualClock, onRealThreads);
        JsonFile.write(jsonFile, comparison);
        HtmlPage.write(page, ComparePage.html(comparison));
        say("Page: " + page + "   JSON: " + jsonFile);
        return 0;
    }

    private static List<Result> onVirtualClock() {
        List<Case> cases = Case.all();
        try (ProgressBar progress = ProgressLine.of("virtual clock", cases.size(), " runs")) {
            return cases.stream()
                    .map(VirtualContest::measure)
                    .peek(result -> progress.step())
                    .toList();
        }
    }

    private RealComparison onRealThreads() {
        List<Case> cases = full ? Case.all() : Case.selection();
        try (ProgressBar progress = ProgressLine.of("real threads", cases.size() + 1, " runs")) {
            return new RealContest(WARM_UP_SECONDS, seconds).measureAll(cases, progress::step);
        }
    }
}
