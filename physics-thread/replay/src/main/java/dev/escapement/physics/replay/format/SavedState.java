package dev.escapement.physics.replay.format;

import dev.escapement.physics.restore.Restorable;

/**
 * Where a part of a log starts.
 *
 * @param tick     the tick after which it is; 0 before the first
 * @param number   one more than the number of the saved state before it, unless something is missing between them
 * @param hasState whether what {@link Restorable#save} has saved follows; false where the simulation was just built
 */
public record SavedState(long tick, long number, boolean hasState) {

    /** The start of a recording that begins with its run. */
    public static final SavedState AS_BUILT = new SavedState(0, 0, false);
}
