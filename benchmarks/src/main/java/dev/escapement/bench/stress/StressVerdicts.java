package dev.escapement.bench.stress;

import dev.escapement.bench.stress.trial.Advice;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import java.util.Locale;

/** What the scenarios come to, as text: the library first, then, apart from it, the machine. */
final class StressVerdicts {

    private static final int MOST_REASONS = 4;

    private StressVerdicts() {}

    static String of(List<Outcome> outcomes) {
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
