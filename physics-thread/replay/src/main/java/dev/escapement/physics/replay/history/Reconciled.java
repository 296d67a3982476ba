package dev.escapement.physics.replay.history;

/**
 * The outcome of a tick of the authority that differed from the {@link Reconciler}'s own.
 *
 * @param outcome    what it did
 * @param tick       the authority's tick
 * @param last       the last simulation tick of the run then
 * @param difference the first saved value that differed after that tick, and where it was saved; empty unless the run was corrected
 * @see Reconciler
 */
public record Reconciled(Outcome outcome, long tick, long last, String difference) {

    /** The correction that the reconciler made, or why it made none. */
    public enum Outcome {
        /** The run went back to the tick, took the authority's state, and re-simulated its own ticks up to the last one. */
        CORRECTED,
        /** The run had not kept the tick, or not come to it: it continues from the authority's state, with the tick's number. */
        STARTED_ANEW,
        /** Nothing: a command that is no data ran after the tick, and cannot be repeated. A later tick of the authority decides. */
        SKIPPED
    }
}
