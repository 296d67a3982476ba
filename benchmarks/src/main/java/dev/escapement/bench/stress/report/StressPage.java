package dev.escapement.bench.stress.report;

import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.stress.trial.Advice;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import java.util.Map;

/** The page: what is known of the library, what is known of the machine, and then each scenario. */
final class StressPage {

    private static final String TEMPLATE = "stress.html";

    private StressPage() {}

    static String html(List<Outcome> outcomes, List<PageSection> sections) {
        StressFile file = StressFile.of(outcomes);
        return HtmlPage.fill(
                StressPage.class,
                TEMPLATE,
                Map.of(
                        "java", file.java(),
                        "cores", file.cores(),
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

    private static boolean isBroken(PageSection section) {
        return section.verdict().equals(Verdict.BROKEN.toString());
    }
}
