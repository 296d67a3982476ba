package dev.escapement.bench.stress;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Scenarios and what came of them, as text. */
final class StressTable {

    private StressTable() {}

    /** What there is. */
    static String list(List<Scenario> scenarios) {
        return AsciiTable.getTable(
                AsciiTable.NO_BORDERS,
                scenarios,
                List.of(
                        StressTable.<Scenario>text("scenario", Scenario::name),
                        StressTable.<Scenario>text("what happens", Scenario::says),
                        StressTable.<Scenario>text(
                                "checks",
                                scenario -> scenario.promises().stream()
                                        .map(Promise::toString)
                                        .collect(Collectors.joining(", ")))));
    }

    /** A row per scenario, then what was broken or skipped, then what to change. */
    static String of(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder(AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                outcomes,
                List.of(
                        StressTable.<Outcome>text("scenario", Outcome::scenario),
                        StressTable.<Outcome>text(
                                "promises", outcome -> outcome.verdict().toString()),
                        new Column()
                                .header("checks")
                                .dataAlign(HorizontalAlign.RIGHT)
                                .with(outcome -> String.format(Locale.ROOT, "%,d", outcome.checkedInAll())),
                        StressTable.<Outcome>text("figures of this machine", StressTable::figures))));
        text.append(System.lineSeparator());
        for (Outcome outcome : outcomes) {
            complain(text, outcome);
        }
        return text.toString();
    }

    private static void complain(StringBuilder text, Outcome outcome) {
        if (!outcome.reason().isEmpty()) {
            text.append(String.format("%s %s: %s%n", outcome.scenario(), outcome.verdict(), outcome.reason()));
        }
        if (outcome.verdict() != Outcome.Verdict.BROKEN) {
            return;
        }
        for (Outcome.Checked check : outcome.checks()) {
            if (!check.held()) {
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

    private static String figures(Outcome outcome) {
        return outcome.figures().stream()
                .map(figure -> String.format(
                        Locale.ROOT,
                        "%s %,.1f%s%s",
                        figure.name(),
                        figure.value(),
                        figure.unit().isEmpty() ? "" : " " + figure.unit(),
                        figure.grade() == Figure.Grade.INFO ? "" : " (" + figure.grade() + ")"))
                .collect(Collectors.joining(", "));
    }

    /** A row per planted fault that was not found, or that all were. */
    static String ofCanaries(List<Canary> canaries) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                canaries,
                List.of(
                        StressTable.<Canary>text("scenario", Canary::scenario),
                        StressTable.<Canary>text(
                                "planted", canary -> "not: " + canary.promise().says()),
                        StressTable.<Canary>text("was", canary -> canary.fate().toString())));
    }

    private static <T> ColumnData<T> text(String header, Function<T, String> cell) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(cell);
    }
}
