package dev.escapement.bench.stress;

import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.StressCommand.Canary;
import dev.escapement.bench.stress.trial.Metric;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Scenarios and their outcomes, as text within 160 columns. */
final class StressTable {

    /** The list of scenarios, without a frame. */
    static final Table<Scenario> LIST = new Table<Scenario>()
            .left("scenario", Scenario::name)
            .left("what happens", 78, Scenario::says)
            .left(
                    "checks",
                    46,
                    scenario -> scenario.promises().stream()
                            .sorted()
                            .map(Promise::toString)
                            .collect(Collectors.joining(", ")));

    private static final Table<Outcome> OUTCOMES = new Table<Outcome>()
            .left("scenario", Outcome::scenario)
            .left("promises", outcome -> outcome.held() ? "held" : "broken")
            .right("checks", outcome -> String.format(Locale.ROOT, "%,d", outcome.checkedInAll()))
            .left(
                    "metrics of this machine",
                    96,
                    outcome -> outcome.metrics().stream().map(Metric::toString).collect(Collectors.joining(", ")));

    /** A row per planted fault, whether or not it was found. */
    static final Table<Canary> CANARIES = new Table<Canary>()
            .left("scenario", Canary::scenario)
            .left("planted", canary -> "not: " + canary.promise().says())
            .left("was", canary -> canary.found() ? "found" : "missed");

    private StressTable() {}

    /** The outcomes: a row each, then the broken promises, and the verdict. */
    static String text(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder(OUTCOMES.text(outcomes));
        text.append(System.lineSeparator());
        outcomes.forEach(outcome -> complain(text, outcome));
        long held = outcomes.stream().filter(Outcome::held).count();
        text.append(String.format(
                Locale.ROOT,
                "Library: %s%,d %s held in %,d checks.",
                held == outcomes.size() ? "" : String.format(Locale.ROOT, "%,d broken, ", outcomes.size() - held),
                held,
                held == 1 ? "scenario" : "scenarios",
                outcomes.stream().mapToLong(Outcome::checkedInAll).sum()));
        return text.toString();
    }

    private static void complain(StringBuilder text, Outcome outcome) {
        if (!outcome.failure().isEmpty()) {
            text.append(String.format("FAULT: %s broken: %s%n", outcome.scenario(), outcome.failure()));
        }
        for (Outcome.Checked check : outcome.checks()) {
            if (check.checked() == 0) {
                text.append(String.format("FAULT: %s: '%s' was never checked%n", outcome.scenario(), check.says()));
            } else if (!check.held()) {
                text.append(String.format(
                        Locale.ROOT,
                        "FAULT: %s: '%s' was broken %,d of %,d times%s%n",
                        outcome.scenario(),
                        check.says(),
                        check.broken(),
                        check.checked(),
                        check.example().isEmpty() ? "" : ", first: " + check.example()));
            }
        }
    }
}
