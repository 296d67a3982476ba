package dev.escapement.bench.stress.trial;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to try to break the service, with the promises that it must keep.
 *
 * @param name     its name on the command line: lower case, hyphens
 * @param says     its description, in a line
 * @param promises the promises that it checks: each at least once in a run, and found broken in a run in which it is planted
 * @param body     its action
 */
public record Scenario(String name, String says, Set<Promise> promises, Body body) {

    /** The action of a scenario. */
    @FunctionalInterface
    public interface Body {

        /** Runs until {@link Trial#isRunning()} is false, and ends everything that it started. */
        void run(Trial trial) throws Exception;
    }

    /** Runs it on this thread, for a time or longer; it breaks the planted promise itself, if there is one. */
    public Outcome run(long lengthNanos, @Nullable Promise planted) {
        return new Trial(this, lengthNanos, planted).run();
    }

    @Override
    public String toString() {
        return name;
    }
}
