package dev.escapement.physics.replay.format;

import dev.escapement.physics.restore.Restorable;
import org.jspecify.annotations.Nullable;

/**
 * Where a part of a log starts.
 *
 * @param tick   the tick after which it is; 0 before the first
 * @param number one more than the number of the saved state before it, unless something is missing between them
 * @param kind   what it has
 */
public record SavedState(long tick, long number, Kind kind) {

    /** The start of a recording that begins with its run. */
    public static final SavedState AS_BUILT = new SavedState(0, 0, Kind.AS_BUILT);

    /** What there is to start from. */
    public enum Kind {
        /** Nothing, because the simulation was just built. */
        AS_BUILT(0),
        /** What {@link Restorable#save} has saved. */
        SAVED(1);

        final byte number;

        Kind(int number) {
            this.number = (byte) number;
        }

        static @Nullable Kind ofNumber(byte number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            return null;
        }
    }
}
