package dev.escapement.bench.stress;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Measured;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The page: promises of the library, figures of the machine, and then each scenario. */
final class StressPage {

    private static final Table<Checked> CHECKS = new Table<Checked>()
            .leftCells(
                    "promise",
                    check -> new Cell(
                            check.says(), "", "", check.example().isEmpty() ? "" : "first: " + check.example()))
            .leftCells("", check -> marked(check.held() ? "held" : check.checked() == 0 ? "not checked" : "broken"))
            .right("checked", check -> String.format(Locale.ROOT, "%,d", check.checked()))
            .right("broken", check -> String.format(Locale.ROOT, "%,d", check.broken()));

    private static final Table<Measured> DURATIONS = Table.ofDurations(Measured::name, Measured::micros);

    private StressPage() {}

    /** A scenario on the page. Its plots are prepared once, however often the page is written: title, caption and data. */
    record Section(Outcome outcome, List<Map<String, String>> plots) {

        static Section of(TrialRun run) {
            Plot percentiles = Plot.percentiles(
                    "Durations by percentile",
                    "How long the shortest 90%, 99%, 99.9% ... took at most; the right end of a curve is the longest of all.",
                    run.distributions());
            Stream<Plot> timeLines = run.timeLines().entrySet().stream()
                    .filter(line -> line.getValue().size() > 0)
                    .map(line -> Plot.overTime(
                            line.getKey(), line.getKey(), "Over the seconds of the scenario.", line.getValue()));
            List<Map<String, String>> plots = Stream.concat(Stream.of(percentiles), timeLines)
                    .filter(plot -> !plot.curves().isEmpty())
                    .map(plot -> Map.of("title", plot.title(), "caption", plot.caption(), "json", plot.json()))
                    .toList();
            return new Section(run.outcome(), plots);
        }

        // For the template.

        boolean isBroken() {
            return outcome.verdict() == Verdict.BROKEN;
        }

        boolean isSkipped() {
            return outcome.verdict() == Verdict.SKIPPED;
        }

        String machineThen() {
            return Outcome.machineVerdict(List.of(outcome));
        }

        Map<String, Object> checkTable() {
            return CHECKS.forPage(outcome.checks());
        }

        Map<String, Object> durationTable() {
            return DURATIONS.forPage(outcome.distributions());
        }
    }

    static String html(StressFolder.StressFile file, List<Section> sections) {
        List<Outcome> outcomes = file.scenarios();
        Map<String, Object> values = new HashMap<>();
        values.put("title", "stress");
        values.put("machineName", file.java() + ", " + file.cores() + " cores");
        values.put("gated", !file.gate().isEmpty());
        values.put("failed", !file.gate().stream().allMatch(Gate.Verdict::isPassed));
        values.put("limits", Gate.TABLE.forPage(file.gate()));
        values.put("broken", file.broken() > 0);
        values.put("library", Outcome.libraryVerdict(outcomes));
        values.put("machine", Outcome.machineVerdict(outcomes));
        values.put("advice", Outcome.advice(outcomes));
        values.put("sections", sections);
        values.put("scenarios", StressTable.OUTCOMES.forPage(outcomes));
        return HtmlPage.fill(StressPage.class, "stress.html", values);
    }

    private static Cell marked(String text) {
        return Cell.marked(text, text);
    }
}
