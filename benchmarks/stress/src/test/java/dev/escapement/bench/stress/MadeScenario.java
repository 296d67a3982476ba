package dev.escapement.bench.stress;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import java.util.Set;

/** Scenarios of a moment, with known results. */
public final class MadeScenario {

    private MadeScenario() {}

    /** How it ends. */
    public enum End {
        HOLDS,
        BREAKS,
        SKIPS
    }

    /** One that measures the durations up to so many microseconds. */
    public static Scenario of(String name, End end, double micros) {
        return new Scenario(
                name,
                "made up for a test, and described in so many words that no table has room for them",
                Set.of(Promise.WHOLE, Promise.FRESH),
                trial -> run(trial, end, micros));
    }

    private static void run(Trial trial, End end, double micros) throws SkippedException {
        if (end == End.SKIPS) {
            throw new SkippedException("there is no <second> machine");
        }
        trial.check(Promise.WHOLE).held(1234);
        trial.check(Promise.FRESH).that(end == End.HOLDS, () -> "tick 3 when 5 was published");
        for (int i = 1; i <= 1000; i++) {
            trial.distribution("tick lateness").record((long) (micros * i));
            trial.timeLine("tick lateness, us").add(i / 100.0, micros * i / 1000);
        }
        trial.figure(Figure.graded("tick lateness p99", micros, "us", 200, 2000, "buy a better clock"));
        trial.figure(Figure.graded("gap", micros, "us", 200, 2000, "buy a better clock"));
        trial.figure(Figure.info("time factor", 1, ""));
        trial.figure(Figure.info("what nobody has ever counted in a scenario before this one", 1e9, "pieces"));
    }
}
