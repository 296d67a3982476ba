package dev.escapement.physics;

/**
 * The first tick of a replay after which the state differed from the recorded run.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param tick         the tick
 * @param recordedHash the hash of the recorded state after it
 * @param replayedHash the hash of the replayed state after it
 * @param body         the first body that differs, {@link #UNKNOWN} if none is known
 * @param component    the first component of it that differs, empty if only one of the runs had the body, or it is not known
 * @param commandTick  the first tick up to this one for which the recorded run had commands, which no log can replay; {@link #UNKNOWN} if
 *                     there was none
 * @see dev.escapement.physics.replay.BodyStates
 */
public record Divergence(
        long tick, long recordedHash, long replayedHash, int body, String component, long commandTick) {

    /** Stands for a body or a tick that is not known. */
    public static final int UNKNOWN = -1;

    /** Describes the divergence in a sentence. */
    @Override
    public String toString() {
        return "tick " + tick + ": the state's hash was " + Long.toHexString(recordedHash) + " and is "
                + Long.toHexString(replayedHash) + where()
                + (commandTick == UNKNOWN
                        ? ""
                        : "; the recorded run had commands before tick " + commandTick + ", which no log can repeat");
    }

    private String where() {
        if (body == UNKNOWN) {
            return "; no body is known to differ";
        }
        return ", first at body " + body
                + (component.isEmpty() ? ", which only one of the runs has" : ", " + component);
    }
}
