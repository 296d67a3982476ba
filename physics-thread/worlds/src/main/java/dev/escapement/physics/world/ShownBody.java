package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import org.jspecify.annotations.Nullable;

/** An attached body of the engine, or an attached part. Readers see it from its first capture on. */
final class ShownBody<B> {

    /** The value for no id. No body has it, because ids of bodies have odd generations. */
    static final long NOT_YET = 0;

    final B body;
    final long userData;

    /** Whether the body was attached with an id; otherwise its first capture gives it one. */
    final boolean reserved;

    /** Whether the body comes from a restored state. Then its id may be one that no capture of this run has assigned. */
    final boolean restored;

    private long id;
    private int slot = EventWriter.NO_SLOT;

    int index;

    /** Whether the body slept at its last capture: then its pose is unchanged, unless the game has moved it. */
    boolean wasAsleep;

    /** Whether the next capture must write a change beside the pose. For a body without such changes, a capture reads only this field. */
    boolean hasMarks = true;

    /** Whether a restored state includes the body: then the next capture sets it, even if it sleeps. */
    boolean isShownAgain;

    /** The hash of the body's pose in the last capture, if it slept there or {@link ShownBodies#beginsStep} was called. */
    long poseHash;

    /** The hash of the body's state after the last capture, if there is a {@link TouchWatch}. */
    long stateHash;

    private boolean teleported;

    /** The velocity and angular velocity before the step; NaN if unknown. {@link ClosingSpeed} allocates the array at its first read. */
    double[] before = ClosingSpeed.UNKNOWN;

    boolean tellsLasting;

    /** The parts of the body's shape that queries have read, while parts are missing. */
    @Nullable
    MeshBuilder mesh;

    private boolean blended = true;

    private boolean blendedChanged;

    /** The id that {@link EngineCalls#bodyShown} received last; {@link #NOT_YET} if the next capture must call it. */
    private long toldId = NOT_YET;

    /** Creates a body with a reserved id. If the id is {@link #NOT_YET}, the first capture gives the body an id. */
    ShownBody(B body, long userData, long reservedId, boolean restored) {
        this.body = body;
        this.userData = userData;
        this.restored = restored;
        reserved = reservedId != NOT_YET;
        id = reservedId;
    }

    boolean isSpawned() {
        return slot != EventWriter.NO_SLOT;
    }

    void teleported() {
        teleported = true;
        hasMarks = true;
    }

    void showAgain() {
        isShownAgain = true;
        hasMarks = true;
    }

    /** Makes the next capture call {@link EngineCalls#bodyShown} again. */
    void tellAgain() {
        toldId = NOT_YET;
        hasMarks = true;
        mesh = null; // parts of a shape that the body may no longer have
    }

    /** Returns whether {@link EngineCalls#bodyShown} has to be called. The next call returns false. */
    boolean tells() {
        boolean tells = toldId != id;
        toldId = id;
        return tells;
    }

    /** Returns whether the body's motion before the next capture says nothing about its motion after it. */
    boolean restarts() {
        return teleported || isShownAgain || toldId != id;
    }

    void blended(boolean newBlended) {
        blended = newBlended;
        blendedChanged = true;
        hasMarks = true;
    }

    /** Writes what frames need besides poses: teleports, and whether they blend the body. */
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

    /**
     * Takes over teleports, blending and contact settings from the object that had the body before a restore, because a saved state does
     * not contain them.
     */
    void showAs(ShownBody<B> before) {
        teleported = before.teleported;
        blended = before.blended;
        blendedChanged = before.blendedChanged;
        tellsLasting = before.tellsLasting;
        toldId = before.toldId;
        hasMarks = true;
    }

    void spawned(long newId) {
        blendedChanged |= !blended; // a writer blends each body from its spawn on
        hasMarks = true; // the next capture must call bodyShown()
        id = newId;
        slot = BodyId.slot(newId);
    }

    long id() {
        return id;
    }

    /** Returns the body's id. Throws an {@link IllegalStateException} if the body has none yet. */
    long requireId() {
        if (!reserved && !isSpawned()) {
            throw new IllegalStateException(this + " gets its id in its first capture; ask in a later tick, or reserve"
                    + " one with physics.spawn(...)");
        }
        return id;
    }

    int slot() {
        return slot;
    }

    /** Returns a short text. The engine's own {@code toString()} is long, and impossible for a destroyed native body. */
    @Override
    public String toString() {
        String shown = id == NOT_YET ? "a body that has no id yet" : "body " + BodyId.toString(id);
        return shown + " (user data " + userData + ")";
    }
}
