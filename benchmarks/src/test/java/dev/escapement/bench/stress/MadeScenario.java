package dev.escapement.bench.stress;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import java.util.Set;

/** A scenario of a moment, with known results. */
public final class MadeScenario implements Scenario {

    /** How it ends. */
    public enum End {
        HOLDS,
        BREAKS,
        SKIPS
    }

    private final String name;
    private final End end;
    private final double micros;

    /** One that measures the durations up to so many microseconds. */
    public MadeScenario(String name, End end, double micros) {
        this.name = name;
        this.end = end;
        this.micros = micros;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String says() {
        return "made up for a test, and described in so many words that no table has room for them";
    }

    @Override
    public Set<Promise> promises() {
        return Set.of(Promise.WHOLE, Promise.FRESH);
    }

    @Override
    public void run(Trial trial) throws SkippedException {
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
