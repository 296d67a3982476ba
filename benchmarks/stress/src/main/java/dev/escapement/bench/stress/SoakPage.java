package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.report.ReportPage.Section;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.soak.StressReport;
import dev.escapement.bench.soak.StressReport.Distribution;
import dev.escapement.bench.soak.StressReport.Moment;
import dev.escapement.bench.stress.trial.Checked;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** {@code stress.html}: the verdict, plots over time, and tables, in a single file. */
final class SoakPage {

    private static final Table<Checked> CHECKS = new Table<Checked>()
            .left("promise", Checked::says)
            .left("", check -> check.broken() > 0 ? "broken" : check.checked() > 0 ? "held" : "never checked")
            .right("checks", check -> String.format(Locale.ROOT, "%,d", check.checked()))
            .right("broken", check -> String.format(Locale.ROOT, "%,d", check.broken()))
            .left("first", Checked::example);

    private static final Table<Distribution> DISTRIBUTIONS = new Table<Distribution>()
            .left("", Distribution::name)
            .right("p50", values -> number(values.p50()))
            .right("p99", values -> number(values.p99()))
            .right("p99.9", values -> number(values.p999()))
            .right("max", values -> number(values.max()));

    private static final Table<Map.Entry<String, String>> LEFT_OUT = new Table<Map.Entry<String, String>>()
            .left("part or promise", Map.Entry::getKey)
            .left("why", Map.Entry::getValue);

    private SoakPage() {}

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    /** Returns the page of a run that has ended, or continues. */
    static String html(StressReport report, String repeat) {
        String title =
                String.format(Locale.ROOT, "%s: %,.0f s, seed %d", report.world(), report.seconds(), report.seed());
        return ReportPage.html(
                Map.of(
                        "answer",
                        report.verdict(),
                        "title",
                        title,
                        "isBroken",
                        !report.failure().isEmpty(),
                        "library",
                        "To repeat this storm: " + repeat,
                        "surroundings",
                        report.lost().isEmpty() ? "No time was lost." : "Lost time: " + report.lost() + ".",
                        "findings",
                        report.findings(),
                        "sections",
                        List.of(
                                Section.of("Checks", "", "", CHECKS, report.checks()),
                                Section.of("Distributions", "", "durations", DISTRIBUTIONS, report.distributions()),
                                Section.of(
                                        "Left out",
                                        "",
                                        "",
                                        LEFT_OUT,
                                        List.copyOf(report.leftOut().entrySet())))),
                plots(report.moments()));
    }

    private static List<Plot> plots(List<Moment> moments) {
        return Stream.of(
                        plot("Tick lateness, p99", "us", moments, Moment::latenessP99Micros),
                        plot(
                                "From when a tick was due until readers could see it, p99",
                                "us",
                                moments,
                                Moment::publishP99Micros),
                        plot("Heap after the last collection", "MB", moments, Moment::heapMegabytes),
                        plot("Memory of the process, which grows at first", "MB", moments, Moment::residentMegabytes),
                        plot("Threads", "", moments, Moment::threads),
                        plot("Open files and sockets", "", moments, Moment::handles))
                .filter(plot -> !plot.points().isEmpty())
                .toList();
    }

    private static Plot plot(String title, String unit, List<Moment> moments, ToDoubleFunction<Moment> value) {
        Series series = new Series();
        moments.forEach(moment -> series.add(moment.seconds(), value.applyAsDouble(moment)));
        return new Plot(title, "", "seconds", unit, false, series.points());
    }
}
