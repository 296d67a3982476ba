package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of a run, or of what was watched, for people.
 *
 * @param headline      what was run, in a line
 * @param java          the JVM it ran on
 * @param warmUpSeconds the start that distributions leave out
 * @param library       how the library did, a line
 * @param surroundings  how the machine or the network did, a line
 * @param faults        the promises that were broken, a sentence each
 * @param counts        names and values
 * @param distributions of durations
 */
record SummaryTable(
        String headline,
        String java,
        double warmUpSeconds,
        String library,
        String surroundings,
        List<String> faults,
        List<String[]> counts,
        List<Named> distributions) {

    private static final Table<String[]> COUNTS =
            new Table<String[]>().left("", row -> row[0]).left("", row -> row[1]);
    private static final Table<Named> DISTRIBUTIONS = Table.ofDurations(Named::name, Named::micros);

    /** A distribution and what it is of. */
    record Named(String name, Summary micros) {}

    /** The verdicts first, with what is wrong, then the counts and the distributions. */
    String text() {
        String nl = System.lineSeparator();
        String broken = faults.stream().map(fault -> "FAULT: " + fault + nl).collect(Collectors.joining());
        return headline + nl + library + nl + surroundings + nl + broken + nl + COUNTS.textWithoutBorders(counts) + nl
                + nl + DISTRIBUTIONS.text(distributions) + nl
                + "Distributions leave out the first " + number(warmUpSeconds) + " s (warm-up)." + nl;
    }

    /** What the template of the page names, without plots and pictures. */
    Map<String, Object> forPage() {
        return Map.of(
                "title", headline,
                "java", java,
                "warmUp", warmUpSeconds,
                "library", library,
                "isBroken", !faults.isEmpty(),
                "surroundings", surroundings,
                "faults", faults,
                "counts", COUNTS.forPage(counts),
                "distributions", DISTRIBUTIONS.forPage(distributions),
                "hasInputs", distributions.stream().anyMatch(of -> of.name().startsWith("input")));
    }

    /** How the library did: all that it promises, or how much of that was broken. */
    static String libraryVerdict(List<String> faults, String held) {
        return "Library: "
                + (faults.isEmpty()
                        ? "every promise held: " + held
                        : faults.size() + (faults.size() == 1 ? " promise was" : " promises were")
                                + " broken, see below")
                + ".";
    }

    static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    static String[] row(String name, String format, Object... values) {
        return new String[] {name, String.format(Locale.ROOT, format, values)};
    }
}
