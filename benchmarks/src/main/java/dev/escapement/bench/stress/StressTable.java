package dev.escapement.bench.stress;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.stress.StressCommand.Canary;
import dev.escapement.bench.stress.trial.Advice;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Scenarios and what came of them, as text within 160 columns. */
final class StressTable {

    private static final int MOST_REASONS = 4;
    private static final int SAYS_WIDTH = 78;
    private static final int CHECKS_WIDTH = 46;
    private static final int FIGURES_WIDTH = 96;

    private StressTable() {}

    /** What there is. */
    static String list(List<Scenario> scenarios) {
        return AsciiTable.getTable(
                AsciiTable.NO_BORDERS,
                scenarios,
                List.of(
                        StressTable.<Scenario>text("scenario", 0, Scenario::name),
                        StressTable.<Scenario>text("what happens", SAYS_WIDTH, Scenario::says),
                        StressTable.<Scenario>text(
                                "checks",
                                CHECKS_WIDTH,
                                scenario -> scenario.promises().stream()
                                        .sorted()
                                        .map(Promise::toString)
                                        .collect(Collectors.joining(", ")))));
    }

    /** A row per scenario. */
    static String of(List<Outcome> outcomes) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                outcomes,
                List.of(
                        StressTable.<Outcome>text("scenario", 0, Outcome::scenario),
                        StressTable.<Outcome>text(
                                "promises", 0, outcome -> outcome.verdict().toString()),
                        new Column()
                                .header("checks")
                                .dataAlign(HorizontalAlign.RIGHT)
                                .with(outcome -> String.format(Locale.ROOT, "%,d", outcome.checkedInAll())),
                        StressTable.<Outcome>text("figures of this machine", FIGURES_WIDTH, StressTable::figures)));
    }

    private static String figures(Outcome outcome) {
        return outcome.figures().stream()
                .map(figure -> figure.name()
                        + " "
                        + figure.shown()
                        + (figure.grade() == Figure.Grade.INFO ? "" : " (" + figure.grade() + ")"))
                .collect(Collectors.joining(", "));
    }

    /** A row per planted fault, whether or not it was found. */
    static String ofCanaries(List<Canary> canaries) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                canaries,
                List.of(
                        StressTable.<Canary>text("scenario", 0, Canary::scenario),
                        StressTable.<Canary>text(
                                "planted",
                                0,
                                canary -> "not: " + canary.promise().says()),
                        StressTable.<Canary>text("was", 0, Canary::fate)));
    }

    /** A column of words, broken at blanks if it is wider than a width; 0 for any. */
    private static <T> ColumnData<T> text(String header, int width, Function<T, String> cell) {
        Column column =
                new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT);
        return (width == 0 ? column : column.maxWidth(width)).with(cell);
    }

    /** What the scenarios come to: the library first, then, apart from it, the machine. */
    static String verdicts(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : outcomes) {
            complain(text, outcome);
        }
        text.append("Library: ").append(Outcome.libraryVerdict(outcomes)).append(System.lineSeparator());
        text.append("Machine: ").append(Outcome.machineVerdict(outcomes));
        for (Advice advice : Advice.of(outcomes)) {
            text.append(System.lineSeparator()).append("  to change: ").append(advice.says());
            text.append(System.lineSeparator()).append("    because of ").append(reasons(advice.because()));
        }
        return text.toString();
    }

    private static String reasons(List<String> because) {
        String some = String.join(", ", because.subList(0, Math.min(MOST_REASONS, because.size())));
        return because.size() <= MOST_REASONS ? some : some + " and " + (because.size() - MOST_REASONS) + " more";
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
