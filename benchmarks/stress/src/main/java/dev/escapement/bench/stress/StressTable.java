package dev.escapement.bench.stress;

import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.StressCommand.Canary;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Scenarios and what came of them, as tables for the page and as text within 160 columns. */
final class StressTable {

    /** What there is, without a frame. */
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

    /** A row per scenario, which leads to the scenario's part of the page. */
    static final Table<Outcome> OUTCOMES = new Table<Outcome>()
            .leftCells("scenario", outcome -> Cell.linked(outcome.scenario(), outcome.scenario()))
            .leftCells(
                    "promises",
                    outcome -> Cell.marked(
                            outcome.verdict().toString(), outcome.verdict().toString()))
            .right("checks", outcome -> String.format(Locale.ROOT, "%,d", outcome.checkedInAll()))
            .left("figures of this machine", 96, StressTable::figures);

    /** A row per planted fault, whether or not it was found. */
    static final Table<Canary> CANARIES = new Table<Canary>()
            .left("scenario", Canary::scenario)
            .left("planted", canary -> "not: " + canary.promise().says())
            .left("was", Canary::fate);

    private StressTable() {}

    private static String figures(Outcome outcome) {
        return outcome.figures().stream()
                .map(figure -> figure.name()
                        + " "
                        + figure.shown()
                        + (figure.grade() == Figure.Grade.INFO ? "" : " (" + figure.grade() + ")"))
                .collect(Collectors.joining(", "));
    }

    /** What the scenarios come to: the library first, then, apart from it, the machine. */
    static String verdicts(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : outcomes) {
            complain(text, outcome);
        }
        text.append("Library: ").append(Outcome.libraryVerdict(outcomes)).append(System.lineSeparator());
        text.append("Machine: ").append(Outcome.machineVerdict(outcomes));
        for (String advice : Outcome.advice(outcomes)) {
            text.append(System.lineSeparator()).append("  to change: ").append(advice);
        }
        return text.toString();
    }

    private static void complain(StringBuilder text, Outcome outcome) {
        if (!outcome.reason().isEmpty()) {
            String kind = outcome.verdict() == Verdict.BROKEN ? "FAULT: " : "";
            text.append(String.format("%s%s %s: %s%n", kind, outcome.scenario(), outcome.verdict(), outcome.reason()));
        }
        if (outcome.verdict() != Verdict.BROKEN) {
            return;
        }
        for (Outcome.Checked check : outcome.checks()) {
            if (check.checked() == 0) {
                text.append(String.format("FAULT: %s: '%s' was never checked%n", outcome.scenario(), check.says()));
            } else if (check.broken() > 0) {
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
