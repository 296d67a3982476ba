package dev.escapement.bench.stress;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Figure.Grade;
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

    private static final Table<Section> SCENARIOS = new Table<Section>()
            .leftCells("scenario", Section::link)
            .left("what happens", section -> section.outcome().says())
            .leftCells(
                    "promises", section -> verdict(section.outcome().verdict().toString()))
            .right("checks", section -> format("%,d", section.outcome().checkedInAll()))
            .right("seconds", section -> format("%,.1f", section.outcome().seconds()));

    private static final Table<Section> AWAY = new Table<Section>()
            .leftCells("scenario", Section::link)
            .right(
                    "machine away, ms",
                    section -> format("%,.0f", section.outcome().machineAwayMillis()))
            .right("ticks given up", section -> format("%,d", section.outcome().givenUpTicks()))
            .right("slow", section -> format("%,d", section.outcome().slowGivenUpTicks()))
            .right("unknown reason", section -> format("%,d", section.outcome().unexplainedGivenUpTicks()));

    private static final Table<Graded> GRADED = new Table<Graded>()
            .leftCells("scenario", row -> row.section().link())
            .left("figure", row -> row.figure().name())
            .right("value", row -> row.figure().shown())
            .leftCells("grade", row -> grade(row.figure()));

    private static final Table<Checked> CHECKS = new Table<Checked>()
            .leftCells(
                    "promise",
                    check -> new Cell(
                            check.says(), "", "", check.example().isEmpty() ? "" : "first: " + check.example()))
            .leftCells("", check -> verdict(check.held() ? "held" : check.checked() == 0 ? "not checked" : "broken"))
            .right("checked", check -> format("%,d", check.checked()))
            .right("broken", check -> format("%,d", check.broken()));

    private static final Table<Figure> FIGURES = new Table<Figure>()
            .left("figure of the machine", Figure::name)
            .right("value", Figure::shown)
            .leftCells("grade", StressPage::grade);

    private static final Table<Measured> DURATIONS = Table.ofDurations(Measured::name, Measured::micros);

    private StressPage() {}

    /**
     * A scenario on the page, under an anchor. Its plots are prepared once, however often the page is written: title, caption and data.
     */
    record Section(String anchor, Outcome outcome, List<Map<String, String>> plots) {

        static Section of(TrialRun run, int index) {
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
            return new Section(run.outcome().scenario() + "-" + index, run.outcome(), plots);
        }

        private Cell link() {
            return Cell.linked(outcome.scenario(), anchor);
        }

        // For the template.

        boolean isBroken() {
            return outcome.verdict() == Verdict.BROKEN;
        }

        boolean isSkipped() {
            return outcome.verdict() == Verdict.SKIPPED;
        }

        Map<String, Object> checkTable() {
            return CHECKS.forPage(outcome.checks());
        }

        Map<String, Object> figureTable() {
            return FIGURES.forPage(outcome.figures());
        }

        Map<String, Object> durationTable() {
            return DURATIONS.forPage(outcome.distributions());
        }
    }

    private record Graded(Section section, Figure figure) {}

    static String html(StressFolder.StressFile file, List<Section> sections) {
        List<Outcome> outcomes = file.scenarios();
        List<Graded> graded = sections.stream()
                .flatMap(section -> section.outcome().figures().stream()
                        .filter(figure -> figure.grade() != Grade.INFO)
                        .map(figure -> new Graded(section, figure)))
                .toList();
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
        values.put("scenarios", SCENARIOS.forPage(sections));
        values.put("machineTables", List.of(GRADED.forPage(graded), AWAY.forPage(sections)));
        return HtmlPage.fill(StressPage.class, "stress.html", values);
    }

    private static Cell verdict(String verdict) {
        return Cell.marked(verdict, verdict);
    }

    private static Cell grade(Figure figure) {
        String grade = figure.grade() == Grade.INFO ? "" : figure.grade().toString();
        return Cell.marked(grade, grade);
    }

    private static String format(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
