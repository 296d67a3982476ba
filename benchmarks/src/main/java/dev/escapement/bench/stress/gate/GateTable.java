package dev.escapement.bench.stress.gate;

import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.gate.Gate.Verdict;
import java.util.List;
import java.util.Locale;

/** A gate as text. */
final class GateTable {

    private static final Table<Verdict> TABLE = new Table<Verdict>()
            .left("scenario", verdict -> verdict.limit().scenario())
            .left("figure", verdict -> verdict.limit().figure())
            .left("per", verdict -> verdict.limit().per().toString())
            .right("rounds", verdict -> Integer.toString(verdict.rounds()))
            .right("ratio", verdict -> digits(verdict.median()))
            .right("limit", verdict -> digits(verdict.limit().atMost()))
            .left("", GateTable::says);

    private GateTable() {}

    static String text(Gate gate) {
        Calibration machine = gate.calibration();
        List<Verdict> verdicts = gate.verdicts();
        long failed = verdicts.stream().filter(verdict -> !verdict.isPassed()).count();
        return String.format(
                Locale.ROOT,
                "%s%nThis machine: wake-up %.1f us late, 1 MB copied in %.1f us, getAndSet in %.2f ns. Ratios are medians of the rounds.%n%s",
                TABLE.text(verdicts),
                machine.wakeUpMicros(),
                machine.copyMicros(),
                machine.getAndSetMicros() * 1e3,
                failed == 0
                        ? "Gate: every figure is within its limit."
                        : "GATE: " + failed + " of " + verdicts.size() + " figures are not within their limits.");
    }

    private static String says(Verdict verdict) {
        return verdict.isPassed() ? "within" : verdict.rounds() == 0 ? "NOT MEASURED" : "ABOVE";
    }

    /** Four digits behind the point for ratios, none for large numbers. */
    private static String digits(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.4f", value);
    }
}
