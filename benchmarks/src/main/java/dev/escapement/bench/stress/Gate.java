package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.stress.Calibration.Yardstick;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Compares figures with limits. Each figure is divided by what the machine did just before, and of all rounds the median counts: a
 * machine that is slow, or disturbed for a while, changes both or one round, and fails nothing.
 *
 * <pre>{@code
 * Gate gate = Gate.of(file);
 * for each round: gate.calibrate(); for each scenario of gate.scenarios(): gate.add(outcome);
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

    /**
     * Reads limits.
     *
     * @throws IllegalArgumentException if the file is not one of limits
     */
    static Gate of(Path file) {
        return new Gate(Limit.read(file));
    }

    /** The scenarios that have limits. */
    List<Scenario> scenarios() {
        return Scenarios.named(limits.stream().map(Limit::scenario).distinct().toList());
    }

    /** Measures the machine, at the start of each round. */
    void calibrate() {
        begin(Calibration.measure());
    }

    void begin(Calibration calibration) {
        calibrations.add(calibration);
    }

    /** Adds what came of a scenario in this round. */
    void add(Outcome outcome) {
        Calibration now = calibrations.get(calibrations.size() - 1);
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            OptionalDouble value = limit.figureIn(outcome);
            if (value.isPresent()) {
                ratios.get(i).add(value.getAsDouble() / now.micros(limit.per()));
            }
        }
    }

    /** Whether every figure was there and within its limit. */
    boolean isPassed() {
        return verdicts().stream().allMatch(Verdict::isPassed);
    }

    /** A verdict per limit. */
    List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            double[] all =
                    ratios.get(i).stream().mapToDouble(Double::doubleValue).toArray();
            verdicts.add(Verdict.of(limits.get(i), all.length, Median.of(all)));
        }
        return verdicts;
    }

    /** The calibrations of all rounds in one: the median of each figure. */
    Calibration calibration() {
        return new Calibration(median(Yardstick.WAKE_UP), median(Yardstick.COPY), median(Yardstick.GET_AND_SET));
    }

    private double median(Yardstick yardstick) {
        return Median.of(
                calibrations.stream().mapToDouble(c -> c.micros(yardstick)).toArray());
    }

    /** Limits and what was measured, as text. */
    @Override
    public String toString() {
        Calibration machine = calibration();
        List<Verdict> verdicts = verdicts();
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

    /** Four digits behind the point for ratios, none for large numbers. */
    private static String digits(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.4f", value);
    }

    /**
     * What became of a limit, under the names of the JSON file's keys.
     *
     * @param scenario its scenario
     * @param figure   its name
     * @param per      what it is divided by
     * @param rounds   how many rounds had it
     * @param ratio    the median of the rounds, null if there was none
     * @param atMost   the limit
     * @param verdict  "within", "above" or "not measured"
     */
    record Verdict(
            String scenario,
            String figure,
            Yardstick per,
            int rounds,
            @Nullable Double ratio,
            double atMost,
            String verdict) {

        private static Verdict of(Limit limit, int rounds, double median) {
            String verdict = rounds == 0 ? "not measured" : median <= limit.atMost() ? "within" : "above";
            return new Verdict(
                    limit.scenario(),
                    limit.figure(),
                    limit.per(),
                    rounds,
                    rounds == 0 ? null : median,
                    limit.atMost(),
                    verdict);
        }

        /** Whether it is within its limit. A figure that was never measured is not. */
        boolean isPassed() {
            return verdict.equals("within");
        }

        private String shown() {
            return isPassed() ? verdict : verdict.toUpperCase(Locale.ROOT);
        }
    }
}
