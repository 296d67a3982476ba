package dev.escapement.bench.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of a run under stress.
 *
 * @param world         the name of the world
 * @param seed          the seed from which the storm was drawn
 * @param parts         the parts of the storm that were active
 * @param leftOut       the parts and checks that were not active, by name, each with the reason
 * @param seconds       how long it ran
 * @param lives         how many services were started and closed
 * @param ticks         how many ticks they ran
 * @param checks        each promise, how often it was checked, and how often it was broken
 * @param findings      sentences about the world and the machine that are worth knowing, but no fault of the library
 * @param failure       the first promise that was broken, or how the world failed, with the life and the second; empty if neither happened
 * @param distributions percentiles of lateness, publish delay and steps
 */
public record StressReport(
        String world,
        long seed,
        List<StormPart> parts,
        Map<String, String> leftOut,
        double seconds,
        long lives,
        long ticks,
        List<Checked> checks,
        List<String> findings,
        String failure,
        List<Distribution> distributions) {

    /**
     * The distribution of a metric of ticks. With several services, each number is the largest of theirs.
     *
     * @param name the metric's name with its unit: "lateness, ms"
     * @param p50  the median
     * @param p99  the 99th percentile
     * @param p999 the 99.9th percentile
     * @param max  the largest value
     */
    public record Distribution(String name, double p50, double p99, double p999, double max) {

        static Distribution of(String name, dev.escapement.physics.simulation.Distribution nanos) {
            return new Distribution(
                    name,
                    nanos.percentile(50) / 1e6,
                    nanos.percentile(99) / 1e6,
                    nanos.percentile(99.9) / 1e6,
                    nanos.percentile(100) / 1e6);
        }

        static List<Distribution> max(List<Distribution> some, List<Distribution> others) {
            return some.isEmpty()
                    ? others
                    : IntStream.range(0, some.size())
                            .mapToObj(i -> some.get(i).max(others.get(i)))
                            .toList();
        }

        private Distribution max(Distribution other) {
            return new Distribution(
                    name,
                    Math.max(p50, other.p50),
                    Math.max(p99, other.p99),
                    Math.max(p999, other.p999),
                    Math.max(max, other.max));
        }
    }

    static String firstViolation(List<Checked> checks) {
        return checks.stream()
                .filter(check -> check.broken() > 0)
                .findFirst()
                .map(Checked::violation)
                .orElse("");
    }

    /** {@return whether at least one check was made, no promise was broken, and the world did not fail} */
    public boolean held() {
        return checkedInAll() > 0 && failure.isEmpty();
    }

    /** {@return the number of all checks of all promises} */
    public long checkedInAll() {
        return checks.stream().mapToLong(Checked::checked).sum();
    }

    /** {@return whether the run {@link #held}, and each promise was checked or {@link #leftOut} says why it was not} */
    boolean heldInFull() {
        return held() && gaps().isEmpty();
    }

    /** {@return a headline of at most nine words: whether all promises held, or why this cannot be said} */
    public String headline() {
        if (!failure.isEmpty()) {
            return "Broken.";
        }
        return heldInFull()
                ? "Held."
                : "Not enough: " + count(ticks, "tick") + ", " + count(gaps().size(), "promise") + " unchecked.";
    }

    private static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** {@return one or two sentences: which promises held under which load, or which broke first and with which seed the run repeats it} */
    public String verdict() {
        if (!failure.isEmpty()) {
            return "Broken: " + failure + ". Seed " + seed + " draws the same storm for " + world + " again.";
        }
        if (checkedInAll() == 0) {
            return String.format(
                    Locale.ROOT,
                    "Nothing was checked in %.1f s of %s, so nothing is known; let it run longer.",
                    seconds,
                    world);
        }
        return String.format(
                        Locale.ROOT,
                        "%s kept %d promises in %,d checks%s (seed %d).",
                        world,
                        checks.size() - neverChecked().size(),
                        checkedInAll(),
                        lives == 0 ? "" : underWhat(),
                        seed)
                + (gaps().isEmpty() ? "" : " Let it run longer, or on quieter cores.")
                + (gaps().isEmpty() ? "" : " Never checked: " + String.join(", ", gaps()) + ".");
    }

    private String underWhat() {
        String storm = parts.stream().map(StormPart::toString).collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                ", %,d ticks in %,d services, under %s",
                ticks,
                lives,
                storm.isEmpty() ? "no storm" : storm);
    }

    /** {@return the promises that were not checked} */
    public List<String> neverChecked() {
        return checks.stream()
                .filter(check -> check.checked() == 0)
                .map(Checked::promise)
                .toList();
    }

    /**
     * {@return the promises that were not checked, although {@link #leftOut} gives no reason for it: the run was too short, or the machine
     * too busy}
     */
    public List<String> gaps() {
        return neverChecked().stream()
                .filter(promise -> !leftOut.containsKey(promise))
                .toList();
    }

    boolean foundBroken(Promise promise) {
        return checks.stream().anyMatch(check -> check.promise().equals(promise.toString()) && check.broken() > 0);
    }

    /** {@return headline and verdict, then one row per check and per distribution, then the findings} */
    public String text() {
        String answer = failure.isEmpty() ? headline() + System.lineSeparator() + verdict() : verdict();
        return String.join(System.lineSeparator(), answer, "", rows());
    }

    private String rows() {
        List<String> lines = new ArrayList<>();
        for (Checked check : checks) {
            lines.add(String.format(Locale.ROOT, "%,18d  %s: %s", check.checked(), check.says(), check.result()));
        }
        if (!distributions.isEmpty()) {
            lines.add(String.format("%n%-28s %12s %12s %12s %12s", "", "p50", "p99", "p99.9", "max"));
        }
        for (Distribution values : distributions) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-28s %,12.3f %,12.3f %,12.3f %,12.3f",
                    values.name(),
                    values.p50(),
                    values.p99(),
                    values.p999(),
                    values.max()));
        }
        lines.addAll(notes());
        return String.join(System.lineSeparator(), lines);
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        findings.forEach(finding -> notes.add("Finding: " + finding));
        leftOut.forEach((name, why) -> notes.add("Left out: " + name + ", " + why));
        return notes;
    }

    /**
     * Fails a test if a promise was broken, the world failed, or nothing was checked.
     *
     * @throws AssertionError with {@link #text()}: the first failure and its seed, then all checks
     */
    public void requireHeld() {
        if (!held()) {
            throw new AssertionError(text());
        }
    }
}
