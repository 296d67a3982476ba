package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import java.util.function.LongFunction;

/**
 * One run after the other, in each of which faults strike: which, where and when follows from a seed. What is found broken says the seed;
 * with that one as the first, the same faults strike at the same moments.
 */
public final class SeedRuns {

    /** The scenario of pairs of faults that strike a service, repeated as far as threads allow. */
    public static final String FAULT_PAIRS = "fault-pairs";

    /** The scenario of a server and its clients on virtual time, repeated to the bit. */
    public static final String WIRE = "wire";

    /** The seed with which it begins if none is given. */
    public static final long FIRST = 1;

    private static final long FEWEST = 20;

    /** A planted fault must be found within so many. */
    private static final long MOST_PLANTED = 10_000;

    private SeedRuns() {}

    /**
     * The scenario of seeds in a row.
     *
     * @param name      {@link #FAULT_PAIRS} or {@link #WIRE}
     * @param firstSeed the first
     * @param seeds     how many, however long they take; 0 for as many as there is time for, and no fewer than show that each check is
     *                  made
     */
    public static Scenario scenario(String name, long firstSeed, long seeds) {
        return name.equals(WIRE)
                ? new Scenario(
                        WIRE,
                        "a server, its clients and their network on virtual time, with faults drawn from a seed; a run each",
                        WireRun.PROMISES,
                        trial -> run(trial, seed -> WireRun.scenario(seed, trace -> {}), firstSeed, seeds))
                : new Scenario(
                        FAULT_PAIRS,
                        "two faults strike, drawn from a seed, such as a hang while a service is closed; a service each",
                        PairRun.PROMISES,
                        trial -> run(trial, PairRun::scenario, firstSeed, seeds));
    }

    private static void run(Trial trial, LongFunction<Scenario> ofSeed, long firstSeed, long seeds) {
        long done = 0;
        long failed = 0;
        String failure = "";
        long atMost = seeds == 0 && trial.isCanary() ? MOST_PLANTED : seeds;
        while ((atMost > 0 ? done < atMost : done < FEWEST || trial.goesOn()) && !trial.isFound()) {
            Outcome outcome = trial.runPart(ofSeed.apply(firstSeed + done++));
            boolean fails =
                    !outcome.failure().isEmpty() || outcome.checks().stream().anyMatch(check -> check.broken() > 0);
            failed += fails ? 1 : 0;
            if (failure.isEmpty() && !outcome.failure().isEmpty()) { // the next may go on
                failure = outcome.says() + ": " + outcome.failure();
            }
        }
        trial.info("seeds", done);
        trial.info("seeds that failed", failed);
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
    }
}
