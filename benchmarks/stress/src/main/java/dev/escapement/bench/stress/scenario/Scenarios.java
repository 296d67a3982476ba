package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** All scenarios, in the order in which they run. */
public final class Scenarios {

    /** The scenario of pairs of faults that strike a service, repeatable as far as threads allow. */
    public static final String FAULT_PAIRS = "fault-pairs";

    /** The scenario of failures and deaths of processes, which are repeated from what a flight recorder has put aside. */
    public static final String FAILURES = "failures";

    /** Those that are drawn from seeds. */
    public static final List<String> OF_SEEDS = List.of(FAULT_PAIRS, FAILURES);

    /** The default for the first seed of these. */
    public static final long FIRST_SEED = 1;

    /** Each way to fail comes once. */
    private static final long MIN_SEEDS = FailingWorld.Way.values().length;

    /** A planted fault must be found within this many seeds. */
    private static final long MAX_PLANTED_SEEDS = 10_000;

    private Scenarios() {}

    /** A new object for each scenario. */
    public static List<Scenario> all() {
        return List.of(
                Flood.scenario(4, 1_000_000), ofSeeds(FAULT_PAIRS, FIRST_SEED, 0), ofSeeds(FAILURES, FIRST_SEED, 0));
    }

    /**
     * The scenarios with given names.
     *
     * @param names none for all
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static List<Scenario> named(List<String> names) {
        List<Scenario> all = all();
        return names.isEmpty()
                ? all
                : names.stream().map(name -> named(name, all)).toList();
    }

    private static Scenario named(String name, List<Scenario> all) {
        return all.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + all.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /**
     * The scenario of consecutive seeds: one run each, in which the faults, sites and moments follow from the seed. A failure names its
     * seed; with that one as the first, the same faults strike at the same moments.
     *
     * @param name      {@link #FAULT_PAIRS} or {@link #FAILURES}
     * @param firstSeed the first seed
     * @param seeds     how many, independent of time; 0 for as many as there is time for, and at least as many as make each check once
     */
    public static Scenario ofSeeds(String name, long firstSeed, long seeds) {
        return switch (name) {
            case FAILURES ->
                new Scenario(
                        FAILURES,
                        "a world fails, hangs or ends its process, drawn from a seed, and another repeats it; two processes each",
                        FailureRun.PROMISES,
                        trial -> run(trial, FailureRun::scenario, firstSeed, seeds));
            default ->
                new Scenario(
                        FAULT_PAIRS,
                        "two faults strike, drawn from a seed, such as a hang while a service is closed; a service each",
                        PairRun.PROMISES,
                        trial -> run(trial, PairRun::scenario, firstSeed, seeds));
        };
    }

    private static void run(Trial trial, LongFunction<Scenario> ofSeed, long firstSeed, long seeds) {
        long done = 0;
        long failed = 0;
        String failure = "";
        long atMost = seeds == 0 && trial.isCanary() ? MAX_PLANTED_SEEDS : seeds;
        while ((atMost > 0 ? done < atMost : done < MIN_SEEDS || trial.isRunning()) && !trial.isFound()) {
            Outcome outcome = trial.runPart(ofSeed.apply(firstSeed + done++));
            boolean fails =
                    !outcome.failure().isEmpty() || outcome.checks().stream().anyMatch(check -> check.broken() > 0);
            failed += fails ? 1 : 0;
            if (failure.isEmpty() && !outcome.failure().isEmpty()) { // the next seeds run nevertheless
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
