package dev.escapement.bench.stress;

import java.util.List;
import java.util.Set;

/** The scenarios of faults. Each is drawn from seeds: a run a seed, in which the faults, sites and moments follow from the seed. */
final class Scenarios {

    /** A planted fault must be found within this many seeds. */
    private static final long MAX_PLANTED_SEEDS = 10_000;

    private Scenarios() {}

    /** The run of a seed. */
    @FunctionalInterface
    private interface OfSeed {

        /** Runs, with checks of its own; returns a description that contains the seed and the faults. */
        String run(Trial trial, long seed) throws Exception;
    }

    /**
     * Returns the scenarios, in the order in which they run. A failure names its seed; with that one as the first, the same faults strike
     * at the same moments.
     *
     * @param firstSeed the first seed
     * @param seeds     how many; with a planted fault as many as it takes to find it
     */
    static List<Scenario> all(long firstSeed, long seeds) {
        return List.of(
                ofSeeds("fault-pairs", PairRun.PROMISES, PairRun::run, firstSeed, seeds),
                ofSeeds("failures", FailureRun.PROMISES, FailureRun::run, firstSeed, seeds));
    }

    private static Scenario ofSeeds(String name, Set<Promise> promises, OfSeed ofSeed, long firstSeed, long seeds) {
        return new Scenario(name, promises, trial -> {
            long atMost = trial.planted() == null ? seeds : MAX_PLANTED_SEEDS;
            Exception failure = null;
            for (long seed = firstSeed; seed < firstSeed + atMost && !trial.isFound(); seed++) {
                Trial part = new Trial(promises, trial.planted());
                String says = "seed " + seed;
                try {
                    says = ofSeed.run(part, seed);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) { // the next seeds run nevertheless
                    failure = failure == null ? new IllegalStateException(says + ": " + e, e) : failure;
                }
                trial.add(part, says);
            }
            if (failure != null) {
                throw failure;
            }
        });
    }
}
