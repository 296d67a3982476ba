package dev.escapement.bench.stress.trial;

import java.util.Locale;

/** What the library promises on any machine. A scenario that finds one broken has found a fault of the library. */
public enum Promise {
    WHOLE("no snapshot changes while a reader holds it"),
    CONSECUTIVE("every window holds consecutive ticks"),
    FORWARDS("no window is older than the one before it"),
    FRESH("no window is older than what was published before it was asked for"),
    AS_SIMULATED("every body stands where an independent model says"),
    ACCOUNTED("every deadline was met, or given up and counted"),
    QUARANTINED("every pose that is not finite is counted, and the last good one shown"),
    NEVER_ON_THE_WAY("a body that jumps is never drawn on the way"),
    INPUT_ONCE("every input event that is accepted reaches one tick, once"),
    NO_STORM("never do more than two ticks start within one period");

    private final String says;

    Promise(String says) {
        this.says = says;
    }

    /** The promise, in a sentence without a full stop. */
    public String says() {
        return says;
    }

    /** The key in files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
