package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;

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

    private static void run(Trial trial, long firstSeed, long seeds) {
        long done = 0;
        long failed = 0;
        long firstFailed = 0;
        String failure = "";
        while (seeds > 0 ? done < seeds : done < FEWEST || trial.goesOn()) {
            long seed = firstSeed + done++;
            Outcome outcome = trial.runPart(PairRun.scenario(seed));
            if (!outcome.reason().isEmpty() || outcome.checks().stream().anyMatch(check -> check.broken() > 0)) {
                firstFailed = failed++ == 0 ? seed : firstFailed;
            }
            if (failure.isEmpty() && !outcome.reason().isEmpty()) { // the next may go on
                failure = outcome.says() + ": " + outcome.reason();
            }
            if (failed > 0 && trial.planted().isPresent()) {
                break; // found
            }
        }
        trial.info("seeds", done);
        trial.info("seeds that failed", failed);
        if (failed > 0) {
            trial.info("first seed that failed", firstFailed);
        }
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
    }
}
