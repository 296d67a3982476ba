package dev.escapement.physics.spi;

/**
 * The first tick after which the state differed from the state of the source log: the recorded one, in a replay.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param tick         the tick
 * @param recordedHash the hash of the recorded state after it
 * @param replayedHash the hash of the replayed state after it
 * @param place        where the states differ first, in words; empty if that is not known
 * @param commandTick  the first tick, up to {@code tick}, before which the recorded run ran commands that are not data, so that the log
 *                     lacks them; {@link #UNKNOWN} if there was none
 * @see TickSource#divergence()
 */
public record Divergence(long tick, long recordedHash, long replayedHash, String place, long commandTick) {

    /** Stands for a tick that is not known. */
    public static final int UNKNOWN = -1;

    @Override
    public String toString() {
        return "tick " + tick + ": the state's hash was " + Long.toHexString(recordedHash) + " and is "
                + Long.toHexString(replayedHash)
                + (place.isEmpty() ? "" : "; " + place)
                + (commandTick == UNKNOWN
                        ? ""
                        : "; the recorded run had commands before tick " + commandTick
                                + " that are not data, so that no log can repeat them");
    }
}
