package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.report.ReportPage.Section;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.soak.StressReport;
import dev.escapement.bench.soak.StressReport.Distribution;
import dev.escapement.bench.soak.StressReport.Moment;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import java.util.HashMap;
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
            .left("what", Map.Entry::getKey)
            .left("why", Map.Entry::getValue);

    private SoakPage() {}

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    /** The page of a run that has ended, or goes on. */
    static String html(StressReport report, String repeat) {
        Map<String, Object> values = new HashMap<>();
        values.put("answer", report.verdict());
        values.put(
                "title",
                String.format(Locale.ROOT, "%s: %,.0f s, seed %d", report.world(), report.seconds(), report.seed()));
        values.put("isBroken", !report.held());
        values.put("library", "To repeat this storm: " + repeat);
        values.put("surroundings", report.lost().isEmpty() ? "No time was lost." : "Lost time: " + report.lost() + ".");
        values.put("findings", report.findings());
        values.put(
                "sections",
                List.of(
                        Section.of("Checks", "", "", CHECKS, report.checks()),
                        Section.of("Distributions", "", "durations", DISTRIBUTIONS, report.distributions()),
                        Section.of(
                                "Left out",
                                "Parts of the storm and checks that did not take part.",
                                "",
                                LEFT_OUT,
                                List.copyOf(report.leftOut().entrySet()))));
        return ReportPage.html(values, plots(report.moments()));
    }

    private static List<Plot> plots(List<Moment> moments) {
        return Stream.of(
                        plot("Tick lateness, p99", "How late ticks started.", "us", moments, Moment::latenessP99Micros),
                        plot(
                                "Publish delay, p99",
                                "From when a tick was due until readers could see it.",
                                "us",
                                moments,
                                Moment::publishP99Micros),
                        plot("Age, p99", "How far frames were behind.", "us", moments, Moment::ageP99Micros),
                        plot(
                                "Unevenness, p99",
                                "By how much the way of a frame differs from the mean way: 100 is a frame that stands still.",
                                "%",
                                moments,
                                Moment::unevenPercent),
                        plot("Input", "Events that were offered.", "events a second", moments, Moment::inputs),
                        plot(
                                "Heap after the last collection",
                                "It must not grow from life to life.",
                                "MB",
                                moments,
                                Moment::heapMegabytes),
                        plot(
                                "Memory of the process",
                                "Collectors and malloc's arenas take more at first, and keep it.",
                                "MB",
                                moments,
                                Moment::residentMegabytes),
                        plot("Threads", "Of the process, those of the storm included.", "", moments, Moment::threads),
                        plot("Handles", "Open files and sockets of the process.", "", moments, Moment::handles))
                .filter(plot -> !plot.points().isEmpty())
                .toList();
    }

    private static Plot plot(
            String title, String caption, String unit, List<Moment> moments, ToDoubleFunction<Moment> value) {
        Series series = new Series();
        moments.forEach(moment -> series.add(moment.seconds(), value.applyAsDouble(moment)));
        return new Plot(title, caption, "seconds", unit, false, series.points(), List.of());
    }
}
