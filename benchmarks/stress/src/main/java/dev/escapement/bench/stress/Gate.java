package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.Calibration.Yardstick;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares figures with limits. Each figure is divided by what the machine did just before, and of all rounds the median counts: a
 * machine that is slow, or disturbed for a while, changes both or one round, and fails nothing.
 *
 * <pre>{@code
 * Gate gate = new Gate(Limit.read(file));
 * for each round: gate.begin(Calibration.measure()); for each scenario of gate.scenarios(): gate.add(outcome);
 * gate.verdicts()
 * }</pre>
 */
final class Gate {

    /** A row for each limit. */
    static final Table<Verdict> TABLE = new Table<Verdict>()
            .left("scenario", Verdict::scenario)
            .left("figure", Verdict::figure)
            .left("per", verdict -> verdict.per().toString())
            .right("rounds", verdict -> Integer.toString(verdict.rounds()))
            .right("ratio", verdict -> digits(verdict.ratio()))
            .right("limit", verdict -> digits(verdict.atMost()))
            .leftCells("", verdict -> Cell.marked(verdict.shown(), verdict.verdict()));

    private final List<Limit> limits;
    private final List<Calibration> calibrations = new ArrayList<>();
    private final List<List<Double>> ratios = new ArrayList<>();

    Gate(List<Limit> limits) {
        this.limits = List.copyOf(limits);
        limits.forEach(limit -> ratios.add(new ArrayList<>()));
    }

    /** The scenarios that have limits. */
    List<Scenario> scenarios() {
        return Scenarios.named(limits.stream().map(Limit::scenario).distinct().toList());
    }

    /** A round begins, on a machine that does so much now. */
    void begin(Calibration calibration) {
        calibrations.add(calibration);
    }

    /** Adds what came of a scenario in this round. */
    void add(Outcome outcome) {
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            Double value = limit.figureIn(outcome);
            if (value != null) {
                Calibration now = calibrations.get(calibrations.size() - 1);
                ratios.get(i).add(value / now.micros(limit.per()));
            }
        }
    }

    boolean isPassed() {
        return verdicts().stream().allMatch(Verdict::isPassed);
    }

    List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            double[] all =
                    ratios.get(i).stream().mapToDouble(Double::doubleValue).toArray();
            Double ratio = all.length == 0 ? null : Median.of(all);
            String verdict = ratio == null ? "not measured" : ratio <= limit.atMost() ? "within" : "above";
            verdicts.add(new Verdict(
                    limit.scenario(), limit.figure(), limit.per(), all.length, ratio, limit.atMost(), verdict));
        }
        return verdicts;
    }

    private double median(Yardstick yardstick) {
        return Median.of(
                calibrations.stream().mapToDouble(c -> c.micros(yardstick)).toArray());
    }

    /** Limits and what was measured, as text. */
    @Override
    public String toString() {
        List<Verdict> verdicts = verdicts();
        long failed = verdicts.stream().filter(verdict -> !verdict.isPassed()).count();
        return String.format(
                Locale.ROOT,
                "%s%nThis machine: wake-up %.1f us late, 1 MB copied in %.1f us, getAndSet in %.2f ns. Ratios are medians of the rounds.%n%s",
                TABLE.text(verdicts),
                median(Yardstick.WAKE_UP),
                median(Yardstick.COPY),
                median(Yardstick.GET_AND_SET) * 1e3,
                failed == 0
                        ? "Gate: every figure is within its limit."
                        : "GATE: " + failed + " of " + verdicts.size() + " figures are not within their limits.");
    }

    /** Four digits behind the point for ratios, none for large numbers. */
    private static String digits(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.4f", value);
    }

    /** What became of a limit, under the names of the JSON file's keys: the median ratio of the rounds that had it, null if none did. */
    record Verdict(
            String scenario,
            String figure,
            Yardstick per,
            int rounds,
            @Nullable Double ratio,
            double atMost,
            String verdict) {

        /** Whether it is within its limit. A figure that was never measured is not. */
        boolean isPassed() {
            return verdict.equals("within");
        }

        private String shown() {
            return isPassed() ? verdict : verdict.toUpperCase(Locale.ROOT);
        }
    }
}
