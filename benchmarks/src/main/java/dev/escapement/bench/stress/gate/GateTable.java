package dev.escapement.bench.stress.gate;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.stress.gate.Gate.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A gate as text. */
final class GateTable {

    private GateTable() {}

    static String text(Gate gate) {
        Calibration machine = gate.calibration();
        List<Verdict> verdicts = gate.verdicts();
        long failed = verdicts.stream().filter(verdict -> !verdict.isPassed()).count();
        return String.format(
                Locale.ROOT,
                "%s%nThis machine: wake-up %.1f us late, 1 MB copied in %.1f us, getAndSet in %.2f ns. Ratios are medians of the rounds.%n%s",
                table(verdicts),
                machine.wakeUpMicros(),
                machine.copyMicros(),
                machine.getAndSetMicros() * 1e3,
                failed == 0
                        ? "Gate: every figure is within its limit."
                        : "GATE: " + failed + " of " + verdicts.size() + " figures are not within their limits.");
    }

    private static String table(List<Verdict> verdicts) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                verdicts,
                List.of(
                        text("scenario", verdict -> verdict.limit().scenario()),
                        text("figure", verdict -> verdict.limit().figure()),
                        text("per", verdict -> verdict.limit().per().toString()),
                        number("rounds", verdict -> Integer.toString(verdict.rounds())),
                        number("ratio", verdict -> digits(verdict.median())),
                        number("limit", verdict -> digits(verdict.limit().atMost())),
                        text("", GateTable::says)));
    }

    private static String says(Verdict verdict) {
        return verdict.isPassed() ? "within" : verdict.rounds() == 0 ? "NOT MEASURED" : "ABOVE";
    }

    /** As many digits as say something, whatever the size. */
    private static String digits(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.4f", value);
    }

    private static ColumnData<Verdict> text(String header, Function<Verdict, String> cell) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(cell);
    }

    private static ColumnData<Verdict> number(String header, Function<Verdict, String> cell) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT).with(cell);
    }
}
