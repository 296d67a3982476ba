package dev.escapement.bench.stress.report;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.stress.trial.Advice;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page: what is known of the library, what is known of the machine, and then each scenario. */
final class StressPage {

    private static final String TEMPLATE = "stress.html";

    private StressPage() {}

    static String html(StressFile file, List<PageSection> sections) {
        List<Outcome> outcomes = file.scenarios();
        return HtmlPage.fill(
                StressPage.class,
                TEMPLATE,
                Map.of(
                        "machineName", file.java() + ", " + file.cores() + " cores",
                        "gate", file.gate().isEmpty() ? List.of() : List.of(gate(file.gate())),
                        "broken", file.broken() > 0,
                        "library", Outcome.libraryVerdict(outcomes),
                        "machine", Outcome.machineVerdict(outcomes),
                        "faults", sections.stream().filter(StressPage::isBroken).toList(),
                        "skipped",
                                sections.stream()
                                        .filter(section -> section.verdict().equals(Verdict.SKIPPED.toString()))
                                        .toList(),
                        "advice", Advice.of(outcomes),
                        "scenarios", sections,
                        "graded",
                                sections.stream()
                                        .flatMap(section -> section.figures().stream()
                                                .filter(figure ->
                                                        !figure.grade().isEmpty())
                                                .map(figure -> Map.of("scenario", section, "figure", figure)))
                                        .toList()));
    }

    private static Map<String, Object> gate(List<GatedRow> rows) {
        return Map.of(
                "failed", rows.stream().anyMatch(row -> !row.verdict().equals("within")),
                "rows",
                        rows.stream()
                                .map(row ->
                                        Map.of("row", row, "ratio", digits(row.ratio()), "limit", digits(row.atMost())))
                                .toList());
    }

    private static String digits(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.3f", value);
    }

    private static boolean isBroken(PageSection section) {
        return section.verdict().equals(Verdict.BROKEN.toString());
    }
}
