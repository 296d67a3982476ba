package dev.escapement.physics.replay.history;

import dev.escapement.physics.restore.BodyStates;

/**
 * What a {@link Reconciler} did with a tick of the authority that differed from its own.
 *
 * @param outcome    what it did
 * @param tick       the authority's tick
 * @param last       the last simulation tick of the run then
 * @param body       the number of the first body that differed after that tick, as in {@link BodyStates}; -1 if none is known
 * @param component  the first component of it that differed; empty if only one side has the body, or none is known
 * @param difference the largest difference of a component of any body, in its unit; infinite if only one side has a body, NaN if none is
 *                   known
 * @see Reconciler
 */
public record Reconciled(Outcome outcome, long tick, long last, int body, String component, double difference) {

    /** What was done. */
    public enum Outcome {
        /** Nothing: the bodies differed by no more than the tolerance. */
        TOLERATED,
        /** The run went back to the tick, took the authority's state, and ran its own ticks again up to the last one. */
        CORRECTED,
        /** The run had not kept the tick, or not come to it: it goes on from the authority's state, with the tick's number. */
        STARTED_ANEW,
        /** Nothing: a command that is no data ran after the tick, and cannot be repeated. A later tick of the authority decides. */
        SKIPPED
    }
}
