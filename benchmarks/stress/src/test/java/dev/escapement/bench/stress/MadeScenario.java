package dev.escapement.bench.stress;

import dev.escapement.bench.stress.trial.Metric;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.EnumSet;

/** Scenarios of a moment, with known results. */
final class MadeScenario {

    private MadeScenario() {}

    /** An outcome. */
    static Outcome outcome(String name, boolean holds, double micros) {
        return of(name, holds, micros).run(1, null);
    }

    /** One that measures the durations up to this many microseconds. */
    static Scenario of(String name, boolean holds, double micros) {
        return new Scenario(
                name,
                "made up for a test, and described in so many words that no table has room for them",
                EnumSet.of(Promise.WHOLE, Promise.FRESH),
                trial -> {
                    trial.check(Promise.WHOLE).held(1234);
                    trial.check(Promise.FRESH).that(holds, () -> "tick 3 when 5 was published");
                    trial.metric(new Metric("tick lateness p99", micros, "us"));
                    trial.info("what nobody has ever counted in a scenario before this one", 1_000_000_000);
                });
    }
}
