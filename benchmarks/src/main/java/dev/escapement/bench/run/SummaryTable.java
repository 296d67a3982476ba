package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.run.RunResult.Recorded;
import dev.escapement.bench.run.RunResult.TimeControl;
import dev.escapement.state.time.TimerResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    /** Those of a run. */
    static SummaryTable of(RunResult r) {
        List<Named> distributions = new ArrayList<>(List.of(
                new Named("tick lateness", r.tickLatenessMicros()),
                new Named("step", r.stepMicros()),
                new Named("publish delay", r.publishDelayMicros())));
        distributions.addAll(r.picture().distributions());
        distributions.add(new Named("input to snapshot", r.inputToSnapshotMicros()));
        distributions.add(new Named("input to frame", r.inputToFrameMicros()));
        return new SummaryTable(
                String.format(
                        Locale.ROOT,
                        "%s, %,d bodies: %d s at %s Hz, shown at %s frames a second, windows of %d snapshots",
                        r.engine(),
                        r.bodies(),
                        r.seconds(),
                        number(r.tickHz()),
                        number(r.picture().fps()),
                        r.snapshots()),
                r.java(),
                r.warmUpSeconds(),
                r.libraryVerdict(),
                r.machineVerdict(),
                r.faults(),
                counts(r),
                distributions);
    }

    /** The verdicts first, with what is wrong, then the counts and the distributions. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(headline).append(System.lineSeparator());
        text.append(library).append(System.lineSeparator());
        text.append(surroundings).append(System.lineSeparator());
        for (String fault : faults) {
            text.append("FAULT: ").append(fault).append(System.lineSeparator());
        }
        text.append(System.lineSeparator());
        text.append(COUNTS.textWithoutBorders(counts))
                .append(System.lineSeparator())
                .append(System.lineSeparator());
        text.append(DISTRIBUTIONS.text(distributions)).append(System.lineSeparator());
        text.append(String.format(
                Locale.ROOT, "Distributions leave out the first %s s (warm-up).%n", number(warmUpSeconds)));
        return text.toString();
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

    private static List<String[]> counts(RunResult r) {
        List<String[]> rows = new ArrayList<>();
        rows.add(row("ticks", "%,d run + %,d given up, %,d expected", r.ticks(), r.givenUpTicks(), r.expectedTicks()));
        rows.add(row("simulated / real time", "%.4f", r.timeFactor()));
        rows.addAll(r.picture().counts(r.bodies()));
        rows.addAll(List.of(
                row(
                        "inputs",
                        "%,d offered = %,d accepted + %,d rejected",
                        r.inputsOffered(),
                        r.inputsAccepted(),
                        r.inputsRejected()),
                row("inputs accepted", "%,d applied + %,d pending", r.inputsApplied(), r.inputsPending()),
                row(
                        "slowest input",
                        "%,.1f us %s one tick and its tick's publish delay",
                        Math.abs(r.inputBeyondBoundMicros()),
                        r.inputBeyondBoundMicros() > 0 ? "more than" : "less than"),
                row("allocated per tick", "%,.1f bytes", r.allocatedBytesPerTick()),
                row("physics thread", "%.1f %% of a core", r.physicsCorePercent()),
                row("timer", "%s", timer(new TimerResolution(r.clockStepNanos(), r.shortestParkNanos()))),
                row("state hash", "%s", r.stateHash())));
        Recorded recording = r.recording();
        if (recording != null) {
            rows.add(row(
                    "recorded", "%,d ticks in %,d bytes: %s", recording.ticks(), recording.bytes(), recording.file()));
        }
        TimeControl control = r.timeControl();
        if (control != null) {
            rows.add(row(
                    "time",
                    "changed %,d times in the window; %,d inputs while it stood still",
                    control.changes(),
                    control.inputsWhilePaused()));
        }
        return rows;
    }

    private static String timer(TimerResolution resolution) {
        return String.format(
                Locale.ROOT,
                "clock steps of %.2f us, shortest park %.1f us%s",
                resolution.clockStepNanos() / 1e3,
                resolution.shortestParkNanos() / 1e3,
                resolution.isCoarse() ? ": coarse, ticks may be late" : "");
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    static String[] row(String name, String format, Object... values) {
        return new String[] {name, String.format(Locale.ROOT, format, values)};
    }
}
