package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
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
                        trial -> runWire(trial, firstSeed, seeds))
                : new Scenario(
                        FAULT_PAIRS,
                        "two faults strike, drawn from a seed, such as a hang while a service is closed; a service each",
                        PairRun.PROMISES,
                        trial -> run(trial, PairRun::scenario, firstSeed, seeds));
    }

    private static void runWire(Trial trial, long firstSeed, long seeds) {
        AtomicLong trace = new AtomicLong();
        LongConsumer traced = one -> trace.set(31 * trace.get() + one);
        run(trial, seed -> WireRun.scenario(seed, traced), firstSeed, seeds);
        trial.info("trace, the same for the same seeds", trace.get() >>> Integer.SIZE);
    }

    private static void run(Trial trial, LongFunction<Scenario> ofSeed, long firstSeed, long seeds) {
        long done = 0;
        long failed = 0;
        long firstFailed = 0;
        String failure = "";
        long atMost = seeds == 0 && trial.planted().isPresent() ? MOST_PLANTED : seeds;
        while (atMost > 0 ? done < atMost : done < FEWEST || trial.goesOn()) {
            long seed = firstSeed + done++;
            Outcome outcome = trial.runPart(ofSeed.apply(seed));
            if (!outcome.failure().isEmpty() || outcome.checks().stream().anyMatch(check -> check.broken() > 0)) {
                firstFailed = failed++ == 0 ? seed : firstFailed;
            }
            if (failure.isEmpty() && !outcome.failure().isEmpty()) { // the next may go on
                failure = outcome.says() + ": " + outcome.failure();
            }
            if (trial.isFound()) {
                break;
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
