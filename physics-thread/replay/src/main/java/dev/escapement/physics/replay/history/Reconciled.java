package dev.escapement.physics.replay.history;

/**
 * The result of a tick in which the authority's state differed from the {@link Reconciler}'s.
 *
 * @param outcome    the correction, or the reason for none
 * @param tick       the authority's tick
 * @param last       the run's last simulation tick at that time
 * @param difference the first saved value that differed after that tick, and where it was saved; empty unless the run was corrected
 * @see Reconciler
 */
public record Reconciled(Outcome outcome, long tick, long last, String difference) {

    /** The correction that the reconciler made, or the reason for none. */
    public enum Outcome {
        /** The run went back to the authority's tick, took the authority's state, and re-simulated its own ticks up to the last one. */
        CORRECTED,
        /**
         * The run no longer kept the authority's tick, or had not reached it. It continues from the authority's state, with the number of
         * that tick.
         */
        STARTED_ANEW,
        /**
         * The run continues unchanged, because a command without a {@code CommandType} ran after the authority's tick and cannot be
         * repeated. A later tick of the authority decides.
         */
        SKIPPED
    }
}
