package dev.escapement.bench.stress;

import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.report.ReportPage.Section;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.StressReport.Distribution;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code stress.html}: the verdict and tables, in a single file. */
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
                List.of());
    }
}
