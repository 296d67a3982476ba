package dev.escapement.physics.world;

import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;

/** A body of the engine that readers see, or will from the next capture on. */
final class ShownBody<B> {

    /** No body has this id: its generation is even. */
    private static final long NOT_YET = 0;

    final B body;
    final long userData;
    private final boolean reserved;
    private long id;
    private int slot = EventWriter.NO_BODY;

    /** Where it is in the list of all. */
    int index;

    /** Whether it slept when it was captured last: then its pose is the same, unless the game has moved it. */
    boolean wasAsleep;

    /** Of its pose when it was captured last, if it slept then. */
    long sleepingPoseHash;

    /** Of its state after the last capture, if a {@link TouchWatch} watches. */
    long stateHash;

    /** Creates one that gets an id when it is captured first. */
    ShownBody(B body, long userData) {
        this(body, userData, NOT_YET);
    }

    /** Creates one whose id was reserved, if it is not {@link #NOT_YET}. */
    ShownBody(B body, long userData, long reservedId) {
        this.body = body;
        this.userData = userData;
        reserved = reservedId != NOT_YET;
        id = reservedId;
    }

    boolean isReserved() {
        return reserved;
    }

    /** Whether a capture has shown it. */
    boolean isSpawned() {
        return slot != EventWriter.NO_BODY;
    }

    void spawned(long newId) {
        id = newId;
        slot = BodyId.slot(newId);
    }

    long id() {
        return id;
    }

    /** {@link EventWriter#NO_BODY} before it is captured first. */
    int slot() {
        return slot;
    }

    /** Without the engine's own text, which is long, and must not be asked of a body whose native half is gone. */
    @Override
    public String toString() {
        String shown = id == NOT_YET ? "a body that has no id yet" : "body " + BodyId.toString(id);
        return shown + " (user data " + userData + ")";
    }
}
