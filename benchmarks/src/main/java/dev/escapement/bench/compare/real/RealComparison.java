package dev.escapement.bench.compare.real;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.List;

/**
 * What was measured on real threads, under the names of the JSON file's keys.
 *
 * @param crowd                    the bodies beside the scene
 * @param warmUpSeconds            seconds left out at first
 * @param measuredSeconds          seconds measured
 * @param java                     the JVM it ran on
 * @param analyticCompletionMicros the error by completion of a picture that is right by construction: of all others, it is a part
 * @param results                  one for each contestant and load
 */
public record RealComparison(
        String crowd,
        int warmUpSeconds,
        int measuredSeconds,
        String java,
        Summary analyticCompletionMicros,
        List<RealResult> results) {

    /** Copies the list. */
    public RealComparison {
        results = List.copyOf(results);
    }
}
