package dev.escapement.physics.spi;

/**
 * The first tick after which the state differed from that of the run that is followed: the recorded one, in a replay.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param tick         the tick
 * @param recordedHash the hash of the recorded state after it
 * @param replayedHash the hash of the replayed state after it
 * @param group        the first group of {@value #GROUP_BODIES} bodies that differs, {@link #UNKNOWN} if none is known; group 0 has bodies
 *                     0 to 63
 * @param body         the first body that differs, {@link #UNKNOWN} if the log has no digests of each body, or no group is known
 * @param component    the first component of it that differs, empty if only one of the runs had the body, or it is not known
 * @param commandTick  the first tick up to this one before which the recorded run had commands that are not data, which no log has;
 *                     {@link #UNKNOWN} if there was none
 * @see dev.escapement.physics.restore.BodyStates
 */
public record Divergence(
        long tick, long recordedHash, long replayedHash, int group, int body, String component, long commandTick) {

    /** Stands for a group, a body or a tick that is not known. */
    public static final int UNKNOWN = -1;

    /** How many bodies a group has; the last one may have fewer. */
    public static final int GROUP_BODIES = 64;

    /** Describes the divergence in a sentence. */
    @Override
    public String toString() {
        return "tick " + tick + ": the state's hash was " + Long.toHexString(recordedHash) + " and is "
                + Long.toHexString(replayedHash) + where()
                + (commandTick == UNKNOWN
                        ? ""
                        : "; the recorded run had commands before tick " + commandTick
                                + " that are not data, so that no log can repeat them");
    }

    private String where() {
        if (group == UNKNOWN) {
            return "; no body is known to differ";
        }
        if (body == UNKNOWN) {
            int first = group * GROUP_BODIES;
            return ", first at bodies " + first + " to " + (first + GROUP_BODIES - 1)
                    + "; a log with digests names the body";
        }
        return ", first at body " + body
                + (component.isEmpty() ? ", which only one of the runs has" : ", " + component);
    }
}
