package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.measure.Series;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that is over.
 *
 * @param outcome       what came of it
 * @param distributions what its durations are, under the names of the outcome
 * @param timeLines     curves over its seconds
 */
public record TrialRun(Outcome outcome, Map<String, Distribution> distributions, Map<String, Series> timeLines) {

    /** Runs a scenario on this thread, for so long or longer; it breaks the planted promise itself, if there is one. */
    public static TrialRun of(Scenario scenario, long lengthNanos, @Nullable Promise planted) {
        try (MachineWitness witness = MachineWitness.start()) {
            return new Trial(scenario, lengthNanos, planted).run(witness);
        }
    }
}
