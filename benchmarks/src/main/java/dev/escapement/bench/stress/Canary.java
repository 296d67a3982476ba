package dev.escapement.bench.stress;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.Locale;

/**
 * A fault planted on purpose, to see that the check that is there for it finds it.
 *
 * @param scenario where
 * @param promise  what was broken
 * @param fate     whether that was found
 */
record Canary(String scenario, Promise promise, Fate fate) {

    /** What became of it. */
    enum Fate {
        FOUND,
        MISSED,
        SKIPPED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Canary plant(Scenario scenario, Promise promise, long lengthNanos) {
        Outcome outcome = TrialRun.of(scenario, lengthNanos, promise).outcome();
        Fate fate = outcome.verdict() == Verdict.SKIPPED
                ? Fate.SKIPPED
                : outcome.foundBroken(promise) ? Fate.FOUND : Fate.MISSED;
        return new Canary(scenario.name(), promise, fate);
    }
}
