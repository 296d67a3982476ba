package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;

/**
 * Checks {@link Promise#NO_STORM} of a service that gives up what it missed. A tick after a late one may follow at once, since
 * deadlines keep their phase; but that one is due after the late one began, so the third is due a period later. Holds however late the
 * operating system is. Physics thread.
 */
public final class TickSpacing {

    private final Check noStorm;
    private long lastNanos;
    private long lastButOneNanos;
    private long ticks;

    /** Reports to the trial. */
    public TickSpacing(Trial trial) {
        noStorm = trial.check(Promise.NO_STORM);
    }

    /**
     * A tick begins.
     *
     * @param nowNanos    the time
     * @param periodNanos between the deadlines of two ticks
     */
    public void started(long nowNanos, long periodNanos) {
        if (ticks++ >= 2) {
            long apartNanos = nowNanos - lastButOneNanos;
            noStorm.that(
                    apartNanos >= periodNanos,
                    () -> "three ticks started within " + apartNanos / 1e6 + " ms, tick " + ticks + " the last");
        }
        lastButOneNanos = lastNanos;
        lastNanos = nowNanos;
    }
}
