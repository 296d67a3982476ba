package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.Set;
import java.util.function.Consumer;

/** A trial of one promise, for what needs one. */
final class Tried {

    private Tried() {}

    static Outcome of(Promise promise, Consumer<Trial> what) {
        Scenario scenario = new Scenario("tried", "what a test does", Set.of(promise), what::accept);
        return TrialRun.of(scenario, 1, null).outcome();
    }
}
