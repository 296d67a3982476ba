package dev.escapement.bench.run;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.state.time.TickRate;

/**
 * The checked options of a run.
 *
 * @param engine   the name of the physics engine, or of the simulation class
 * @param bodies   the number of bodies
 * @param seconds  the length of the run
 * @param tickRate ticks per second
 */
public record RunOptions(String engine, int bodies, int seconds, TickRate tickRate) {

    public static final int MAX_BODIES = 1_000_000;
    private static final int MAX_SECONDS = 7 * 24 * 3600;

    /** The window size: how many consecutive snapshots a reader sees at a time. */
    static final int SNAPSHOTS = 3;

    public RunOptions {
        ConsoleCommand.check("--bodies", bodies, 0, MAX_BODIES);
        ConsoleCommand.check("--seconds", seconds, 1, MAX_SECONDS);
        long ticks = tickRate.tickAt(seconds * 1_000_000_000L);
        if (ticks < SNAPSHOTS) {
            throw new IllegalArgumentException("--tick-hz " + tickRate + " gives " + ticks + " ticks in --seconds "
                    + seconds + ", but a picture needs " + SNAPSHOTS + "; choose a higher rate, or more seconds");
        }
    }

    String title() {
        return engine + ", " + bodies + " bodies";
    }

    /**
     * The length of the start that the distributions leave out: the JIT compiler still works, and the view still learns its interpolation
     * delay.
     */
    long warmUpNanos() {
        return Math.min(2_000_000_000L, seconds * 1_000_000_000L / 5);
    }
}
