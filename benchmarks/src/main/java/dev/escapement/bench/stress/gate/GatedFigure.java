package dev.escapement.bench.stress.gate;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Finds what a limit is about: what a watched service reports, whichever scenario watches it. */
final class GatedFigure {

    private static final Map<String, ToDoubleFunction<Outcome.Measured>> PERCENTILES = Map.of(
            " mean", measured -> measured.micros().mean(),
            " p50", measured -> measured.micros().p50(),
            " p99", measured -> measured.micros().p99(),
            " p99.9", measured -> measured.micros().p999(),
            " max", measured -> measured.micros().max());

    private GatedFigure() {}

    /** Whether there can be a limit for it. */
    static boolean isKnown(String name) {
        return WatchedService.FIGURES.contains(name)
                || WatchedService.DURATIONS.stream()
                        .anyMatch(duration -> PERCENTILES.keySet().stream()
                                .anyMatch(percentile -> name.equals(duration + percentile)));
    }

    /** What there can be limits for, in words. */
    static String known() {
        return String.join(", ", WatchedService.FIGURES) + ", and of " + String.join(", ", WatchedService.DURATIONS)
                + " each mean, p50, p99, p99.9, max";
    }

    /** How much it was, durations in microseconds; empty if the scenario has no such figure. */
    static OptionalDouble in(Outcome outcome, String name) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Figure figure : outcome.figures()) {
            values.put(figure.name(), figure.value());
        }
        for (Outcome.Measured measured : outcome.distributions()) {
            PERCENTILES.forEach(
                    (percentile, value) -> values.put(measured.name() + percentile, value.applyAsDouble(measured)));
        }
        Double value = values.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
