package dev.escapement.physics;

/**
 * The first tick of a replay after which the state was not that of the recorded run.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param tick         the tick
 * @param recordedHash the hash of the state after it when it was recorded
 * @param replayedHash the hash of the state after it now
 * @param body         the first body that differs, {@link #UNKNOWN} if none is known to
 * @param component    the first component of it that does, empty if the body was there in one of the runs only, or is not known
 * @param commandTick  the first tick up to this one for which the recorded run had commands, which no log can repeat;
 *                     {@link #UNKNOWN} if there was none
 * @see dev.escapement.physics.replay.BodyStates
 */
public record Divergence(
        long tick, long recordedHash, long replayedHash, int body, String component, long commandTick) {

    /** No body, or no tick, is known. */
    public static final int UNKNOWN = -1;

    /** Says it in a sentence. */
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
