package dev.escapement.bench.stress.trial;

import java.util.Set;

/**
 * A way to try to break the service, with the promises that it must keep meanwhile. Small: what several scenarios need is
 * in {@code dev.escapement.bench.stress.world}.
 */
public interface Scenario {

    /** What people call it on the command line: lower case, hyphens. */
    String name();

    /** What happens, in a line. */
    String says();

    /** What it checks. Each must be checked at least once in a run, and found broken in a run in which it is planted. */
    Set<Promise> promises();

    /** Whether it makes ticks late on any machine, so that their lateness says nothing about this one. */
    default boolean delaysTicks() {
        return false;
    }

    /**
     * Runs until {@link Trial#goesOn()} is false, and ends everything that it started.
     *
     * @throws SkippedException if the platform forbids it
     */
    void run(Trial trial) throws Exception;
}
