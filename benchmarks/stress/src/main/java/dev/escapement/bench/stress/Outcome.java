package dev.escapement.bench.stress;

import java.util.List;
import java.util.Locale;

/**
 * The outcome of a scenario, as in files.
 *
 * @param scenario its name
 * @param held     whether each promise was checked and always held, and it ended without an exception
 * @param failure  the exception by which it ended; empty otherwise
 * @param seconds  how long it ran
 * @param checks   a promise each
 */
record Outcome(String scenario, boolean held, String failure, double seconds, List<Checked> checks) {

    /** Returns the number of checks in all. */
    long checkedInAll() {
        return checks.stream().mapToLong(Checked::checked).sum();
    }

    /** Returns whether a promise was found broken. */
    boolean foundBroken(Promise promise) {
        return checks.stream().anyMatch(check -> check.promise().equals(promise.toString()) && check.broken() > 0);
    }

    /** Returns what was wrong, in a line each, and then the verdict. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (!failure.isEmpty()) {
            text.append(String.format("FAULT: %s ended by %s%n", scenario, failure));
        }
        for (Checked check : checks) {
            if (check.checked() == 0) {
                text.append(String.format("FAULT: %s: '%s' was never checked%n", scenario, check.says()));
            } else if (!check.held()) {
                text.append(String.format(
                        Locale.ROOT,
                        "FAULT: %s: '%s' was broken %,d of %,d times, first: %s%n",
                        scenario,
                        check.says(),
                        check.broken(),
                        check.checked(),
                        check.example()));
            }
        }
        return text
                + String.format(
                        Locale.ROOT,
                        "%s: %s in %,d checks, %.1f s.",
                        scenario,
                        held ? "held" : "broken",
                        checkedInAll(),
                        seconds);
    }
}
