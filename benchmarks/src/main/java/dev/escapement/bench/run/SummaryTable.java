package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.run.RunResult.Recorded;
import dev.escapement.bench.run.RunResult.TimeControl;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TimerResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of a run as text. */
final class SummaryTable {

    private static final Table<String[]> COUNTS =
            new Table<String[]>().left("", row -> row[0]).left("", row -> row[1]);
    private static final Table<Named> DISTRIBUTIONS = Table.ofDurations(Named::name, Named::micros);

    private SummaryTable() {}

    private record Named(String name, Summary micros) {}

    /** The verdicts first, with what is wrong, then the counts and the distributions. */
    static String text(RunResult r) {
        StringBuilder text = new StringBuilder();
        text.append(headline(r)).append(System.lineSeparator());
        r.verdicts().forEach(verdict -> text.append(verdict).append(System.lineSeparator()));
        for (String fault : r.faults()) {
            text.append("FAULT: ").append(fault).append(System.lineSeparator());
        }
        text.append(System.lineSeparator());
        text.append(COUNTS.textWithoutBorders(countRows(r)))
                .append(System.lineSeparator())
                .append(System.lineSeparator());
        text.append(DISTRIBUTIONS.text(distributions(r))).append(System.lineSeparator());
        text.append(String.format(
                Locale.ROOT, "Distributions leave out the first %s s (warm-up).%n", number(r.warmUpSeconds())));
        return text.toString();
    }

    /** What was run, in a line. */
    static String headline(RunResult r) {
        return String.format(
                Locale.ROOT,
                "%s, %,d bodies: %d s at %s Hz, shown at %s frames a second, windows of %d snapshots",
                r.engine(),
                r.bodies(),
                r.seconds(),
                number(r.tickHz()),
                number(r.fps()),
                r.snapshots());
    }

    /** The counts, for the page. */
    static Map<String, Object> countsForPage(RunResult r) {
        return COUNTS.forPage(countRows(r));
    }

    /** The distributions, for the page. */
    static Map<String, Object> distributionsForPage(RunResult r) {
        return DISTRIBUTIONS.forPage(distributions(r));
    }

    private static List<String[]> countRows(RunResult r) {
        List<String[]> rows = new ArrayList<>(List.of(
                row("ticks", "%,d run + %,d given up, %,d expected", r.ticks(), r.givenUpTicks(), r.expectedTicks()),
                row("simulated / real time", "%.4f", r.timeFactor()),
                row("frames", "%,d (%,d slots missed, %,d holds)", r.frames(), r.missedFrameSlots(), r.holds()),
                row(
                        "torn snapshots",
                        r.bodies() > Snapshot.WHOLE_BLOCKS * PoseBlock.CAPACITY
                                ? "%,d in %,d checks of a 64th of a window, another in each tick"
                                : "%,d in %,d checks of a window",
                        r.tornSnapshots(),
                        r.windowsChecked()),
                row("windows with a gap", "%,d", r.nonConsecutiveWindows()),
                row(
                        "misplaced frames",
                        "%,d, and %,d repeats not counted as holds",
                        r.misplacedFrames(),
                        r.uncountedRepeats()),
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
                row("allocated per frame", "%,.1f bytes", r.allocatedBytesPerFrame()),
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

    private static List<Named> distributions(RunResult r) {
        return List.of(
                new Named("tick lateness", r.tickLatenessMicros()),
                new Named("step", r.stepMicros()),
                new Named("publish delay", r.publishDelayMicros()),
                new Named("frame interval", r.frameIntervalMicros()),
                new Named("look-behind", r.lookBehindMicros()),
                new Named("slot error", r.slotErrorMicros()),
                new Named("real error", r.realErrorMicros()),
                new Named("input to snapshot", r.inputToSnapshotMicros()),
                new Named("input to frame", r.inputToFrameMicros()));
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String[] row(String name, String format, Object... values) {
        return new String[] {name, String.format(Locale.ROOT, format, values)};
    }
}
