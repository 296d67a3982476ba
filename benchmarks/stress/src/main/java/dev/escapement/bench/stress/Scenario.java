package dev.escapement.bench.stress;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to try to break the service, with the promises that it must keep.
 *
 * @param name     its name on the command line: lower case, hyphens
 * @param seed     the first that it draws from
 * @param promises the promises that it checks: each at least once in a run, and found broken in a run in which it is planted
 * @param body     its action
 */
record Scenario(String name, long seed, Set<Promise> promises, Body body) {

    @FunctionalInterface
    interface Body {

        /** Runs, and ends everything that it started. */
        void run(Trial trial) throws Exception;
    }

    /** Runs it on this thread; it breaks the planted promise itself, if there is one. */
    StressReport run(@Nullable Promise planted) {
        Trial trial = new Trial(promises, planted);
        long startedNanos = System.nanoTime();
        String failure = "";
        try {
            body.run(trial);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } catch (Exception e) {
            failure = "it ended by " + e;
        }
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        List<Checked> checks = trial.checked();
        String first = failure.isEmpty() ? StressReport.firstViolation(checks) : failure;
        return new StressReport(
                name, seed, List.of(), Map.of(), seconds, 0, 0, checks, List.of(), first, List.of(), "", true);
    }

    @Override
    public String toString() {
        return name;
    }
}
