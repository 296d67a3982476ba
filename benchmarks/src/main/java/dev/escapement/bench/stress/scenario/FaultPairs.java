package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.fault.PairRun;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.TrialRun;
import dev.escapement.state.thread.FirstFailure;

/**
 * One service after the other, in each of which two faults strike: which, where and when follows from a seed. What is found broken says
 * the seed; with that one as the first, the same faults strike at the same moments, as far as threads allow.
 */
public final class FaultPairs {

    /** What it is called. */
    public static final String NAME = "fault-pairs";

    /** The seed with which it begins if none is given. */
    public static final long FIRST = 1;

    private static final long FEWEST = 20;

    private FaultPairs() {}

    /**
     * The scenario of seeds in a row.
     *
     * @param firstSeed the first
     * @param seeds     how many, however long they take; 0 for as many as there is time for, and no fewer than show that each check is
     *                  made
     */
    public static Scenario scenario(long firstSeed, long seeds) {
        return new Scenario(
                NAME,
                "two faults strike, drawn from a seed, such as a hang while a service is closed; a service each",
                PairRun.PROMISES,
                trial -> run(trial, firstSeed, seeds));
    }

    private static void run(Trial trial, long firstSeed, long seeds) throws SkippedException {
        FirstFailure failure = new FirstFailure();
        long done = 0;
        long failed = 0;
        long firstFailed = 0;
        while (seeds > 0 ? done < seeds : done < FEWEST || trial.goesOn()) {
            long seed = firstSeed + done++;
            TrialRun run = TrialRun.of(
                    PairRun.scenario(seed), trial.lengthNanos(), trial.planted().orElse(null));
            if (isBroken(run.outcome())) {
                firstFailed = failed++ == 0 ? seed : firstFailed;
            }
            try {
                trial.takeOver(named(run));
            } catch (IllegalStateException thrown) { // the next may go on
                failure.add(thrown);
            }
            if (failed > 0 && trial.planted().isPresent()) {
                break; // found
            }
        }
        trial.figure(Figure.info("seeds", (double) done, ""));
        trial.figure(Figure.info("seeds that failed", (double) failed, ""));
        if (failed > 0) {
            trial.figure(Figure.info("first seed that failed", (double) firstFailed, ""));
        }
        failure.cause().ifPresent(cause -> {
            throw new IllegalStateException(cause.getMessage(), cause);
        });
    }

    private static boolean isBroken(Outcome outcome) {
        return !outcome.reason().isEmpty() || outcome.checks().stream().anyMatch(check -> check.broken() > 0);
    }

    /** The same, with the seed and its faults wherever something was broken. */
    private static TrialRun named(TrialRun run) {
        Outcome outcome = run.outcome();
        String plan = outcome.says() + ": ";
        return new TrialRun(
                new Outcome(
                        outcome.scenario(),
                        outcome.says(),
                        outcome.verdict(),
                        outcome.reason().isEmpty() ? "" : plan + outcome.reason(),
                        outcome.seconds(),
                        outcome.checks().stream()
                                .map(check -> new Checked(
                                        check.promise(),
                                        check.says(),
                                        check.checked(),
                                        check.broken(),
                                        plan + check.example()))
                                .toList(),
                        outcome.figures(),
                        outcome.distributions()),
                run.distributions(),
                run.timeLines());
    }
}
