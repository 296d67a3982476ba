package dev.escapement.bench.stress.report;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Curve;
import dev.escapement.bench.report.CurvePlot;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.PercentilePlot;
import dev.escapement.bench.report.Thinned;
import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the page says of a scenario, drawn once.
 *
 * @param anchor        where links go
 * @param scenario      its name
 * @param says          what happened
 * @param verdict       about the library
 * @param reason        why it was skipped, or what it ended with
 * @param seconds       how long it ran
 * @param checked       how often anything was looked at
 * @param checks        a row per promise
 * @param figures       a row per figure of the machine
 * @param distributions a row per distribution
 * @param plots         pictures with captions
 */
record PageSection(
        String anchor,
        String scenario,
        String says,
        String verdict,
        String reason,
        String seconds,
        String checked,
        List<CheckRow> checks,
        List<FigureRow> figures,
        List<DurationRow> distributions,
        List<Map<String, String>> plots) {

    /** A promise: "held" or "broken", how often it was looked at and broken, and what was seen first. */
    record CheckRow(String says, String verdict, String checked, String broken, String example) {}

    /** A figure as text. */
    record FigureRow(String name, String value, String grade, String advice) {}

    /** A distribution in microseconds, as text. */
    record DurationRow(String name, String mean, String p50, String p99, String p999, String max) {}

    static PageSection of(TrialRun run, int index) {
        Outcome outcome = run.outcome();
        return new PageSection(
                outcome.scenario() + "-" + index,
                outcome.scenario(),
                outcome.says(),
                outcome.verdict().toString(),
                outcome.reason(),
                format("%,.1f", outcome.seconds()),
                format("%,d", outcome.checkedInAll()),
                outcome.checks().stream().map(PageSection::row).toList(),
                outcome.figures().stream()
                        .map(figure -> new FigureRow(
                                figure.name(),
                                figure.shown(),
                                figure.grade() == Grade.INFO
                                        ? ""
                                        : figure.grade().toString(),
                                figure.advice()))
                        .toList(),
                outcome.distributions().stream().map(PageSection::row).toList(),
                plots(run));
    }

    private static CheckRow row(Outcome.Checked check) {
        String verdict = check.held() ? "held" : check.checked() == 0 ? "not checked" : "broken";
        return new CheckRow(
                check.says(), verdict, format("%,d", check.checked()), format("%,d", check.broken()), check.example());
    }

    private static DurationRow row(Outcome.Measured measured) {
        Summary micros = measured.micros();
        return new DurationRow(
                measured.name(),
                format("%,.1f", micros.mean()),
                format("%,.1f", micros.p50()),
                format("%,.1f", micros.p99()),
                format("%,.1f", micros.p999()),
                format("%,.1f", micros.max()));
    }

    private static List<Map<String, String>> plots(TrialRun run) {
        List<Map<String, String>> plots = new ArrayList<>();
        boolean measured = run.distributions().values().stream()
                .anyMatch(distribution -> distribution.histogram().getTotalCount() > 0);
        if (measured) {
            plots.add(
                    HtmlPage.plot(
                            PercentilePlot.svg("Durations by percentile", run.distributions()),
                            "How long the shortest 90%, 99%, 99.9% ... took at most; the right end of a curve is the longest of all."));
        }
        run.timeLines().forEach((name, series) -> {
            if (series.x().length > 0) {
                Curve curve = new Curve(name, Thinned.of(series), Curve.Style.LINE, Curve.TEAL);
                plots.add(HtmlPage.plot(
                        CurvePlot.svg(name, "seconds", name, List.of(curve)), "Over the seconds of the scenario."));
            }
        });
        return plots;
    }

    private static String format(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
