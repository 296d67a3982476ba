package dev.escapement.bench.run;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.state.time.TickRate;

/**
 * What to run, checked.
 *
 * @param engine    what the simulation is called
 * @param bodies    how many bodies
 * @param seconds   how long
 * @param tickRate  ticks per second
 * @param snapshots K, snapshots in a window
 * @param lookAhead how many ticks the view looks ahead
 */
public record RunOptions(String engine, int bodies, int seconds, TickRate tickRate, int snapshots, double lookAhead) {

    public static final int MAX_BODIES = 1_000_000;
    private static final int MAX_SECONDS = 7 * 24 * 3600;
    private static final int MAX_SNAPSHOTS = 10;

    public RunOptions {
        ConsoleCommand.check("--bodies", bodies, 0, MAX_BODIES);
        ConsoleCommand.check("--seconds", seconds, 1, MAX_SECONDS);
        ConsoleCommand.check("--snapshots", snapshots, 2, MAX_SNAPSHOTS);
        if (LookAhead.ticks(lookAhead).predicts() && snapshots < LookAhead.LEAST_SNAPSHOTS) {
            throw new IllegalArgumentException("--look-ahead " + lookAhead + " needs --snapshots "
                    + LookAhead.LEAST_SNAPSHOTS + " or more, not " + snapshots);
        }
        long ticks = tickRate.tickAt(seconds * 1_000_000_000L);
        if (ticks < snapshots) {
            throw new IllegalArgumentException("--tick-hz " + tickRate + " gives " + ticks + " ticks in --seconds "
                    + seconds + ", but a picture needs " + snapshots + "; choose a higher rate, or more seconds");
        }
    }

    /** The part at the start that the distributions leave out: the JIT compiler is at work, and C is being learned. */
    long warmUpNanos() {
        return Math.min(2_000_000_000L, seconds * 1_000_000_000L / 5);
    }
}
