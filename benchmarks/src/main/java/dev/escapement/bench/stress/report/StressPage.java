package dev.escapement.bench.stress.report;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.report.StressFile.GatedRow;
import dev.escapement.bench.stress.trial.Advice;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Measured;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page: promises of the library, figures of the machine, and then each scenario. */
final class StressPage {

    private static final String TEMPLATE = "stress.html";

    private static final Table<Section> SCENARIOS = new Table<Section>()
            .leftCells("scenario", section -> Cell.linked(section.outcome().scenario(), section.anchor()))
            .left("what happens", section -> section.outcome().says())
            .leftCells(
                    "promises", section -> verdict(section.outcome().verdict().toString()))
            .right("checks", section -> format("%,d", section.outcome().checkedInAll()))
            .right("seconds", section -> format("%,.1f", section.outcome().seconds()));

    private static final Table<Graded> GRADED = new Table<Graded>()
            .leftCells(
                    "scenario",
                    row -> Cell.linked(
                            row.section().outcome().scenario(), row.section().anchor()))
            .left("figure", row -> row.figure().name())
            .right("value", row -> row.figure().shown())
            .leftCells("grade", row -> grade(row.figure()));

    private static final Table<GatedRow> GATE = new Table<GatedRow>()
            .left("scenario", GatedRow::scenario)
            .left("figure", GatedRow::figure)
            .left("per", GatedRow::per)
            .right("rounds", row -> Integer.toString(row.rounds()))
            .right("ratio", row -> digits(row.ratio()))
            .right("limit", row -> digits(row.atMost()))
            .leftCells("", row -> verdict(row.verdict()));

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
     * A scenario on the page. Its plots are prepared once, however often the page is written.
     *
     * @param anchor  where links go
     * @param outcome what came of it
     * @param plots   its plots
     */
    record Section(String anchor, Outcome outcome, List<PreparedPlot> plots) {

        static Section of(TrialRun run, int index) {
            return new Section(
                    run.outcome().scenario() + "-" + index,
                    run.outcome(),
                    plotsOf(run).stream()
                            .map(plot -> new PreparedPlot(plot.title(), plot.caption(), plot.json()))
                            .toList());
        }

        /** For the template: whether the scenario broke a promise. */
        boolean isBroken() {
            return outcome.verdict() == Verdict.BROKEN;
        }

        /** For the template: whether the scenario was skipped. */
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

    /** A plot as the template shows it. */
    record PreparedPlot(String title, String caption, String json) {}

    private record Graded(Section section, Figure figure) {}

    static String html(StressFile file, List<Section> sections) {
        List<Outcome> outcomes = file.scenarios();
        return HtmlPage.fill(
                StressPage.class,
                TEMPLATE,
                Map.of(
                        "title",
                        "stress",
                        "machineName",
                        file.java() + ", " + file.cores() + " cores",
                        "gate",
                        file.gate().isEmpty() ? List.of() : List.of(gate(file.gate())),
                        "broken",
                        file.broken() > 0,
                        "library",
                        Outcome.libraryVerdict(outcomes),
                        "machine",
                        Outcome.machineVerdict(outcomes),
                        "advice",
                        Advice.of(outcomes),
                        "sections",
                        sections,
                        "scenarios",
                        SCENARIOS.forPage(sections),
                        "graded",
                        GRADED.forPage(graded(sections))));
    }

    private static List<Graded> graded(List<Section> sections) {
        List<Graded> graded = new ArrayList<>();
        for (Section section : sections) {
            for (Figure figure : section.outcome().figures()) {
                if (figure.grade() != Grade.INFO) {
                    graded.add(new Graded(section, figure));
                }
            }
        }
        return graded;
    }

    private static Map<String, Object> gate(List<GatedRow> rows) {
        return Map.of(
                "failed", rows.stream().anyMatch(row -> !row.verdict().equals("within")), "limits", GATE.forPage(rows));
    }

    private static List<Plot> plotsOf(TrialRun run) {
        List<Plot> plots = new ArrayList<>();
        Plot percentiles = Plot.percentiles(
                "Durations by percentile",
                "How long the shortest 90%, 99%, 99.9% ... took at most; the right end of a curve is the longest of all.",
                run.distributions());
        if (!percentiles.curves().isEmpty()) {
            plots.add(percentiles);
        }
        run.timeLines().forEach((name, series) -> {
            if (series.size() > 0) {
                plots.add(Plot.overTime(name, name, "Over the seconds of the scenario.", series));
            }
        });
        return plots;
    }

    private static Cell verdict(String verdict) {
        return Cell.marked(verdict, verdict);
    }

    private static Cell grade(Figure figure) {
        String grade = figure.grade() == Grade.INFO ? "" : figure.grade().toString();
        return Cell.marked(grade, grade);
    }

    private static String digits(@Nullable Double value) {
        return value == null ? "-" : format(value >= 100 ? "%,.0f" : "%.3f", value);
    }

    private static String format(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
