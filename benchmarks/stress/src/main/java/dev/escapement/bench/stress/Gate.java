package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.trial.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares medians of durations with how late a plain {@code parkNanos} of a millisecond wakes up just before. Of all rounds the median
 * ratio counts: a machine that is slow, or disturbed for a while, changes both or one round, and fails nothing.
 */
final class Gate {

    /** The scenario that has limits. */
    static final String SCENARIO = "idle";

    /** How often it runs. */
    static final int ROUNDS = 3;

    /** How many late wake-ups the median of each duration may be: far above those of sound machines, far below those of a fault. */
    static final Map<String, Double> LIMITS = Map.of("tick lateness", 10.0, "publish delay", 25.0);

    private static final long PARK_NANOS = 1_000_000;
    private static final int PARKS = 200;

    private final Map<String, Double> limits;
    private final Map<String, List<Double>> ratios = new HashMap<>();

    Gate(Map<String, Double> limits) {
        this.limits = new TreeMap<>(limits);
    }

    /** How late this machine wakes up now, in microseconds: the median. */
    static double wakeUpMicros() {
        return Median.of(DoubleStream.generate(Gate::wakeUpLateNanos)
                        .limit(PARKS)
                        .toArray())
                / 1e3;
    }

    private static double wakeUpLateNanos() {
        long dueNanos = System.nanoTime() + PARK_NANOS;
        LockSupport.parkNanos(PARK_NANOS); // a wake-up before its time is rare: the median counts
        return Math.max(1, System.nanoTime() - dueNanos);
    }

    /** Adds what came of the scenario in a round, on a machine that woke up so late then. */
    void add(double wakeUpMicros, Outcome outcome) {
        for (Outcome.Measured measured : outcome.distributions()) {
            ratios.computeIfAbsent(measured.name(), unused -> new ArrayList<>())
                    .add(measured.micros().p50() / wakeUpMicros);
        }
    }

    boolean isPassed() {
        return verdicts().stream().allMatch(Verdict::isPassed);
    }

    List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        limits.forEach((duration, atMost) -> {
            double[] measured = ratios.getOrDefault(duration, List.of()).stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            Double ratio = measured.length == 0 ? null : Median.of(measured);
            verdicts.add(new Verdict(duration + " p50", measured.length, ratio, atMost));
        });
        return verdicts;
    }

    /** Limits and what was measured, as text: medians of the rounds, in late wake-ups. */
    @Override
    public String toString() {
        List<Verdict> verdicts = verdicts();
        long failed = verdicts.stream().filter(verdict -> !verdict.isPassed()).count();
        return new Table<Verdict>()
                        .left("figure", Verdict::figure)
                        .right("rounds", verdict -> Integer.toString(verdict.rounds()))
                        .right("wake-ups", verdict -> String.format(Locale.ROOT, "%.4f", verdict.ratio()))
                        .right("limit", verdict -> String.format(Locale.ROOT, "%,.0f", verdict.atMost()))
                        .left("", verdict -> verdict.isPassed() ? "within" : "ABOVE, OR NOT MEASURED")
                        .text(verdicts)
                + System.lineSeparator()
                + (failed == 0
                        ? "Gate: every figure is within its limit."
                        : "GATE: " + failed + " of " + verdicts.size() + " figures are not within their limits.");
    }

    /**
     * What became of a limit, under the names of the JSON file's keys: the median ratio of the rounds that had it, null if none did. A figure
     * that was never measured is not within its limit.
     */
    record Verdict(String figure, int rounds, @Nullable Double ratio, double atMost) {

        boolean isPassed() {
            return ratio != null && ratio <= atMost;
        }
    }
}
