package dev.escapement.bench.stress;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A way to try to break the service, with the promises that must hold meanwhile. All random choices come from a seed. */
enum Scenario {
    FAULT_PAIRS(EnumSet.range(Promise.WHOLE, Promise.ABANDONED_UNHEARD), 20, ofSeeds(FaultyService::run)),
    FAILURES(EnumSet.of(Promise.FILE_LEFT, Promise.REPEATED), 20, ofSeeds(FailingWorld::run)),
    HANDOFFS(EnumSet.range(Promise.WHOLE, Promise.FRESH), 100_000_000, Handoffs::run);

    /** After this many seeds, a planted fault must have been found. */
    private static final long MAX_PLANTED_SEEDS = 10_000;

    /**
     * The promises that this scenario checks, each at least once in a run. If one of them is planted as broken, the run must find it
     * broken.
     */
    @SuppressWarnings("ImmutableEnumChecker") // no code changes the set
    final Set<Promise> promises;

    final long count;

    @SuppressWarnings("ImmutableEnumChecker") // a method without state
    private final Body body;

    Scenario(Set<Promise> promises, long count, Body body) {
        this.promises = promises;
        this.count = count;
        this.body = body;
    }

    /**
     * The length of a run. {@code count} is the number of seeds, or of handoffs with {@code readers} readers. {@code progress} receives the
     * number of finished seeds or handoffs.
     */
    record Extent(long seed, long count, int readers, LongConsumer progress) {}

    @FunctionalInterface
    interface Body {

        void run(Trial trial, Extent extent) throws Exception;
    }

    /** Runs the faults of one seed. It describes them to the trial, for messages. */
    @FunctionalInterface
    private interface OfSeed {

        void run(Trial trial, long seed) throws Exception;
    }

    /** Returns a body that runs one seed after the other; with a planted fault, only until the fault is found. */
    private static Body ofSeeds(OfSeed ofSeed) {
        return (trial, extent) -> {
            long atMost = trial.planted() == null ? extent.count() : MAX_PLANTED_SEEDS;
            for (long done = 0; done < atMost && !trial.isFound(); ) {
                ofSeed.run(trial, extent.seed() + done);
                extent.progress().accept(++done);
            }
        };
    }

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

    /** Returns the name on the command line, in lower case with hyphens. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
