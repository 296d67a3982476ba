package dev.escapement.physics.replay.format;

import dev.escapement.physics.restore.Restorable;

/**
 * Describes the saved state with which a log, or a part of a log, starts.
 *
 * @param tick     the tick after which the state was saved; 0 before the first
 * @param number   one more than the number of the saved state before it, unless ticks are missing between them
 * @param hasState whether the bytes of {@link Restorable#save} follow; false for a simulation that was just built
 */
public record SavedState(long tick, long number, boolean hasState) {

    /** The start of a log that begins with its run, and so with no saved state. */
    public static final SavedState AS_BUILT = new SavedState(0, 0, false);
}
