package dev.escapement.bench.stress.trial;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to change about the machine.
 *
 * @param says    what to do
 * @param because of which scenarios and figures: "idle (tick lateness p99)"
 */
public record Advice(String says, List<String> because) {

    /** Each piece of advice once, however many figures give it. */
    public static List<Advice> of(List<Outcome> outcomes) {
        Map<String, Set<String>> reasons = new LinkedHashMap<>();
        for (Outcome outcome : outcomes) {
            for (Figure figure : outcome.figures()) {
                if (!figure.advice().isEmpty()) {
                    reasons.computeIfAbsent(figure.advice(), unused -> new LinkedHashSet<>())
                            .add(outcome.scenario() + " (" + figure.name() + ")");
                }
            }
        }
        return reasons.entrySet().stream()
                .map(entry -> new Advice(entry.getKey(), List.copyOf(entry.getValue())))
                .toList();
    }
}
