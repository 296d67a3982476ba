package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Measured;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
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

    /**
     * Runs a scenario on this thread.
     *
     * @param scenario    what to run
     * @param lengthNanos how long; some need longer
     * @param planted     the promise it is to break itself, null for none
     */
    public static TrialRun of(Scenario scenario, long lengthNanos, @Nullable Promise planted) {
        try (MachineWitness witness = MachineWitness.start()) {
            return of(scenario, lengthNanos, planted, witness);
        }
    }

    /** The same, seen by a witness that is ended with it; null where a greater trial has one. */
    static TrialRun of(
            Scenario scenario, long lengthNanos, @Nullable Promise planted, @Nullable MachineWitness witness) {
        Trial trial = new Trial(scenario, lengthNanos, planted);
        long startNanos = System.nanoTime();
        String skipped = "";
        String failure = "";
        try {
            scenario.body().run(trial);
        } catch (SkippedException e) {
            skipped = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } catch (Exception e) {
            failure = e.toString();
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        if (witness != null) {
            witness.close();
            trial.judge(witness);
        }
        Trial.Machine machine = trial.machine();
        List<Checked> checks = checks(trial);
        boolean held = failure.isEmpty() && checks.stream().allMatch(Checked::held);
        Outcome outcome = new Outcome(
                scenario.name(),
                scenario.says(),
                !skipped.isEmpty() ? Verdict.SKIPPED : held ? Verdict.HELD : Verdict.BROKEN,
                skipped.isEmpty() ? failure : skipped,
                seconds,
                machine.awayMillis(),
                machine.givenUp(),
                machine.slow(),
                machine.unexplained(),
                checks,
                List.copyOf(trial.figures()),
                trial.distributions().entrySet().stream()
                        .map(entry ->
                                new Measured(entry.getKey(), entry.getValue().summary()))
                        .toList());
        return new TrialRun(outcome, trial.distributions(), trial.timeLines());
    }

    private static List<Checked> checks(Trial trial) {
        return trial.checks().entrySet().stream()
                .map(entry -> new Checked(
                        entry.getKey(),
                        entry.getKey().says(),
                        entry.getValue().checked(),
                        entry.getValue().broken(),
                        entry.getValue().example()))
                .toList();
    }
}
