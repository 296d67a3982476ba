package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;

/** An attached body of the engine, or a part, which readers see from its first capture on. */
final class ShownBody<B> {

    /** Stands for no id. No body has it, because its generation is even. */
    static final long NOT_YET = 0;

    final B body;
    final long userData;

    /** Whether it was attached with an id; else its first capture gives it one. */
    final boolean reserved;

    /** Whether it comes from a restored state: then perhaps no capture of this run has given it its id. */
    final boolean restored;

    private long id;
    private int slot = EventWriter.NO_BODY;

    /** Its index in the list of all attached bodies. */
    int index;

    /** Whether it slept at its last capture: then its pose is unchanged, unless the game has moved it. */
    boolean wasAsleep;

    /** Whether the next capture has to look at the marks below. For a body without any it reads only this field. */
    boolean hasMarks = true;

    /** Whether a restored state has it: then the next capture sets it, even if it sleeps. */
    boolean isShownAgain;

    /** The hash of its pose at its last capture, if it slept then. */
    long sleepingPoseHash;

    /** The hash of its state after the last capture, if there is a {@link TouchWatch}. */
    long stateHash;

    /** Whether the game has teleported it since its last capture. */
    private boolean teleported;

    /**
     * Its velocity and angular velocity before the step, for {@link ClosingSpeed}, which makes it when it first reads; NaN if not known.
     */
    double[] before = ClosingSpeed.UNKNOWN;

    /** True if each tick reports its contacts while they last. */
    boolean tellsLasting;

    /** Whether frames blend it between two ticks. */
    private boolean blended = true;

    /** Whether the next capture has to say that to the writer. */
    private boolean blendedChanged;

    /** The id that {@link EngineCalls#bodyShown} received last; {@link #NOT_YET} if the next capture has to call it. */
    private long toldId = NOT_YET;

    /** Creates a body with a reserved id; with {@link #NOT_YET} it gets one in its first capture. */
    ShownBody(B body, long userData, long reservedId, boolean restored) {
        this.body = body;
        this.userData = userData;
        this.restored = restored;
        reserved = reservedId != NOT_YET;
        id = reservedId;
    }

    /** Whether a capture has shown it. */
    boolean isSpawned() {
        return slot != EventWriter.NO_BODY;
    }

    void teleported() {
        teleported = true;
        hasMarks = true;
    }

    /** Lets the next capture set it, even if it sleeps. */
    void showAgain() {
        isShownAgain = true;
        hasMarks = true;
    }

    /** Lets the next capture call {@link EngineCalls#bodyShown} again. */
    void tellAgain() {
        toldId = NOT_YET;
        hasMarks = true;
    }

    /** Returns whether {@link EngineCalls#bodyShown} has to be called. The next call returns false. */
    boolean tells() {
        boolean tells = toldId != id;
        toldId = id;
        return tells;
    }

    /** Whether what it did before the next capture says nothing of how it moves after it. */
    boolean restarts() {
        return teleported || isShownAgain || toldId != id;
    }

    void blended(boolean newBlended) {
        blended = newBlended;
        blendedChanged = true;
        hasMarks = true;
    }

    /** Notes how frames are to show it, where that has changed. */
    void writeMarks(PoseWriter poses) {
        hasMarks = false;
        isShownAgain = false;
        if (blendedChanged) {
            poses.blended(slot, blended);
            blendedChanged = false;
        }
        if (teleported) {
            poses.teleport(slot);
            teleported = false;
        }
    }

    /** Takes over how frames are to show the same body: that is no part of a saved state. */
    void showAs(ShownBody<B> before) {
        teleported = before.teleported;
        blended = before.blended;
        blendedChanged = before.blendedChanged;
        tellsLasting = before.tellsLasting;
        toldId = before.toldId;
        hasMarks = true;
    }

    void spawned(long newId) {
        blendedChanged |= !blended; // a writer blends each body that is spawned
        hasMarks = true; // the next capture has to call bodyShown()
        id = newId;
        slot = BodyId.slot(newId);
    }

    long id() {
        return id;
    }

    /** Its id, for the game. */
    long requireId() {
        if (!reserved && !isSpawned()) {
            throw new IllegalStateException(this + " gets its id in its first capture; ask in a later tick, or reserve"
                    + " one with physics.spawn(...)");
        }
        return id;
    }

    /** Its slot; {@link EventWriter#NO_BODY} before its first capture. */
    int slot() {
        return slot;
    }

    /** Does not call the engine's own {@code toString()}, which is long, and not possible for a destroyed native body. */
    @Override
    public String toString() {
        String shown = id == NOT_YET ? "a body that has no id yet" : "body " + BodyId.toString(id);
        return shown + " (user data " + userData + ")";
    }
}
