package dev.escapement.bench.report;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.Recorded;
import dev.escapement.bench.measure.RunResult;
import dev.escapement.state.time.TimerResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures for people, as text. */
public final class SummaryTable {

    /** A distribution's name and its figures, formatted. */
    record Row(String name, String mean, String p50, String p99, String p999, String max) {

        static Row of(String name, Summary micros) {
            return new Row(
                    name,
                    micros(micros.mean()),
                    micros(micros.p50()),
                    micros(micros.p99()),
                    micros(micros.p999()),
                    micros(micros.max()));
        }
    }

    private SummaryTable() {}

    /** Counts first, then the distributions, then what is wrong or that nothing is. */
    public static String text(RunResult r) {
        StringBuilder text = new StringBuilder();
        text.append(headline(r)).append(System.lineSeparator()).append(System.lineSeparator());
        text.append(counts(r)).append(System.lineSeparator()).append(System.lineSeparator());
        text.append(distributions(r)).append(System.lineSeparator());
        text.append(String.format(
                Locale.ROOT, "Distributions leave out the first %s s (warm-up).%n", number(r.warmUpSeconds())));
        for (String fault : r.faults()) {
            text.append("FAULT: ").append(fault).append(System.lineSeparator());
        }
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

    /** The counts, name and value, as the table and the page show them. */
    static List<String[]> countRows(RunResult r) {
        List<String[]> rows = new ArrayList<>(List.of(
                row("ticks", "%,d run + %,d given up, %,d expected", r.ticks(), r.givenUpTicks(), r.expectedTicks()),
                row("simulated / real time", "%.4f", r.timeFactor()),
                row("frames", "%,d (%,d slots missed, %,d holds)", r.frames(), r.missedFrameSlots(), r.holds()),
                row("torn snapshots", "%,d in %,d checks of a window", r.tornSnapshots(), r.windowsChecked()),
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

    private static String counts(RunResult r) {
        return AsciiTable.getTable(
                AsciiTable.NO_BORDERS,
                countRows(r),
                List.of(
                        new Column().dataAlign(HorizontalAlign.LEFT).with(row -> row[0]),
                        new Column().dataAlign(HorizontalAlign.LEFT).with(row -> row[1])));
    }

    /** The distributions, as the table and the page show them. */
    static List<Row> distributionRows(RunResult r) {
        return List.of(
                Row.of("tick lateness", r.tickLatenessMicros()),
                Row.of("step", r.stepMicros()),
                Row.of("publish delay", r.publishDelayMicros()),
                Row.of("frame interval", r.frameIntervalMicros()),
                Row.of("look-behind", r.lookBehindMicros()),
                Row.of("slot error", r.slotErrorMicros()),
                Row.of("real error", r.realErrorMicros()),
                Row.of("input to snapshot", r.inputToSnapshotMicros()),
                Row.of("input to frame", r.inputToFrameMicros()));
    }

    private static String distributions(RunResult r) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                distributionRows(r),
                List.of(
                        new Column()
                                .header("microseconds")
                                .headerAlign(HorizontalAlign.LEFT)
                                .dataAlign(HorizontalAlign.LEFT)
                                .with(Row::name),
                        figure("mean").with(Row::mean),
                        figure("p50").with(Row::p50),
                        figure("p99").with(Row::p99),
                        figure("p99.9").with(Row::p999),
                        figure("max").with(Row::max)));
    }

    private static Column figure(String header) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT);
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
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
