package dev.escapement.bench.stress;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A way to try to break the service: it draws from a seed, and states the promises that the service must keep. */
enum Scenario {
    FAULT_PAIRS(EnumSet.range(Promise.WHOLE, Promise.ABANDONED_UNHEARD), 20, ofSeeds(FaultyService::run)),
    FAILURES(EnumSet.of(Promise.FILE_LEFT, Promise.REPEATED), 20, ofSeeds(FailingWorld::run)),
    HANDOFFS(EnumSet.range(Promise.WHOLE, Promise.FRESH), 100_000_000, Handoffs::run);

    /** A planted fault must be found within this many seeds. */
    private static final long MAX_PLANTED_SEEDS = 10_000;

    /** The promises that it checks: each at least once in a run, and found broken in a run in which it is planted. */
    @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
    final Set<Promise> promises;

    /** How many seeds or handoffs a run has by default. */
    final long count;

    @SuppressWarnings("ImmutableEnumChecker") // a method without state
    private final Body body;

    Scenario(Set<Promise> promises, long count, Body body) {
        this.promises = promises;
        this.count = count;
        this.body = body;
    }

    /**
     * The length of a run.
     *
     * @param seed     the first that it draws from; the same one draws the same again
     * @param count    how many seeds or handoffs
     * @param readers  how many readers handoffs have
     * @param progress receives how many are done
     */
    record Extent(long seed, long count, int readers, LongConsumer progress) {}

    @FunctionalInterface
    interface Body {

        /** Runs, and ends everything that it started. */
        void run(Trial trial, Extent extent) throws Exception;
    }

    /** The run of a seed, which says to its trial what it is. */
    @FunctionalInterface
    private interface OfSeed {

        void run(Trial trial, long seed) throws Exception;
    }

    /** Runs one seed after the other: as many as it takes to find a planted fault. */
    private static Body ofSeeds(OfSeed ofSeed) {
        return (trial, extent) -> {
            long atMost = trial.planted() == null ? extent.count() : MAX_PLANTED_SEEDS;
            for (long done = 0; done < atMost && !trial.isFound(); ) {
                ofSeed.run(trial, extent.seed() + done);
                extent.progress().accept(++done);
            }
        };
    }

    /** Runs on this thread; breaks the planted promise itself, if there is one. */
    StressReport run(Extent extent, @Nullable Promise planted) {
        return run(toString(), promises, body, extent, planted);
    }

    static StressReport run(String name, Set<Promise> promises, Body body, Extent extent, @Nullable Promise planted) {
        Trial trial = new Trial(promises, planted);
        long startedNanos = System.nanoTime();
        String failure = "";
        try {
            body.run(trial, extent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } catch (Exception e) {
            failure = trial.context() + "it ended by " + e;
        }
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        List<Checked> checks = trial.checked();
        String first = failure.isEmpty() ? StressReport.firstViolation(checks) : failure;
        return new StressReport(
                name, extent.seed(), List.of(), Map.of(), seconds, 0, 0, checks, List.of(), first, List.of());
    }

    /** Returns its name on the command line: lower case, hyphens. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
