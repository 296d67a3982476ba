package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyId;

/**
 * One thing that happened to a body in one tick.
 *
 * <pre>{@code
 * switch (event.kind()) {
 *     case CONTACT_BEGAN -> play(thud, event.x(), event.y(), event.z());
 *     case GAP -> startAnewFromTheSnapshot();
 *     default -> {}
 * }
 * }</pre>
 *
 * <p>Events are pre-allocated and reused: read one only while it is visited, and keep no reference.
 *
 * @see EventStream#drain
 */
public final class BodyEvent {

    /** The id of the floor and other things without a pose. No body ever has it. */
    public static final long NO_BODY = 0;

    /** What happened. Events of a tick with the same ids come in this order. */
    public enum Kind {
        /** This tick is the first whose snapshot has the body. */
        SPAWNED,
        /** Two bodies, or one and something without a pose, touched in the tick before and no longer do. */
        CONTACT_ENDED,
        /** Two bodies, or one and something without a pose, touch and did not in the tick before. */
        CONTACT_BEGAN,
        /** This tick is the first whose snapshot no longer has the body. */
        DESPAWNED,
        /** Events are missing here, because they were not drained in time: see {@link #missed()}. */
        GAP
    }

    private Kind kind = Kind.GAP;
    private long tick;
    private long body;
    private long other;
    private long userData;
    private float x;
    private float y;
    private float z;
    private float nx;
    private float ny;
    private float nz;
    private long missed;
    private long lastMissedTick;

    BodyEvent() {}

    void setLifecycle(Kind newKind, long newTick, long newBody, long newUserData) {
        set(newKind, newTick, newBody, NO_BODY);
        userData = newUserData;
    }

    void setContact(Kind newKind, long newTick, long newBody, long newOther) {
        set(newKind, newTick, newBody, newOther);
    }

    void setGeometry(float newX, float newY, float newZ, float newNx, float newNy, float newNz) {
        x = newX;
        y = newY;
        z = newZ;
        nx = newNx;
        ny = newNy;
        nz = newNz;
    }

    void setGap(long firstTick, long lastTick, long events) {
        set(Kind.GAP, firstTick, NO_BODY, NO_BODY);
        missed = events;
        lastMissedTick = lastTick;
    }

    void copyFrom(BodyEvent source) {
        set(source.kind, source.tick, source.body, source.other);
        userData = source.userData;
        setGeometry(source.x, source.y, source.z, source.nx, source.ny, source.nz);
    }

    private void set(Kind newKind, long newTick, long newBody, long newOther) {
        kind = newKind;
        tick = newTick;
        body = newBody;
        other = newOther;
        userData = 0;
        setGeometry(0, 0, 0, 0, 0, 0);
        missed = 0;
        lastMissedTick = newTick;
    }

    /**
     * What happened.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * When it happened.
     *
     * @return the number of the tick, whose snapshot was published before this event; of a gap, the first tick that misses events
     */
    public long tick() {
        return tick;
    }

    /**
     * The body; of a contact, the one with the smaller id.
     *
     * @return a {@link BodyId}; of a gap, {@link #NO_BODY}
     */
    public long body() {
        return body;
    }

    /**
     * The other side of a contact.
     *
     * @return a {@link BodyId}, or {@link #NO_BODY} for a thing without a pose, and for events that are no contact
     */
    public long other() {
        return other;
    }

    /**
     * The application's own number for a body that was spawned or despawned.
     *
     * @return the number given at its spawn, 0 for other kinds
     */
    public long userData() {
        return userData;
    }

    /**
     * The x of the point where a contact began.
     *
     * @return metres along x from the snapshot's origin; 0 for other kinds, and meaningless if the normal is (0, 0, 0)
     */
    public float x() {
        return x;
    }

    /**
     * The y of the point where a contact began.
     *
     * @return metres along y, see {@link #x()}
     */
    public float y() {
        return y;
    }

    /**
     * The z of the point where a contact began.
     *
     * @return metres along z, see {@link #x()}
     */
    public float z() {
        return z;
    }

    /**
     * The direction from the body to the other, where a contact began. (0, 0, 0) if the simulation did not know point and normal.
     *
     * @return the unit normal's x
     */
    public float nx() {
        return nx;
    }

    /**
     * The direction from the body to the other.
     *
     * @return the unit normal's y, see {@link #nx()}
     */
    public float ny() {
        return ny;
    }

    /**
     * The direction from the body to the other.
     *
     * @return the unit normal's z, see {@link #nx()}
     */
    public float nz() {
        return nz;
    }

    /**
     * How many events are missing in a gap.
     *
     * @return events, 0 for other kinds
     */
    public long missed() {
        return missed;
    }

    /**
     * The last tick of a gap.
     *
     * @return the last tick that misses events; the event's own tick for other kinds
     */
    public long lastMissedTick() {
        return lastMissedTick;
    }

    @Override
    public String toString() {
        return "BodyEvent[tick " + tick + " " + kind
                + switch (kind) {
                    case SPAWNED, DESPAWNED -> " " + BodyId.toString(body) + " user data " + userData;
                    case CONTACT_ENDED -> " " + contact();
                    case CONTACT_BEGAN ->
                        " " + contact() + " at (" + x + ", " + y + ", " + z + ") normal (" + nx + ", " + ny + ", " + nz
                                + ")";
                    case GAP -> " of " + missed + " events, until tick " + lastMissedTick;
                }
                + "]";
    }

    private String contact() {
        return BodyId.toString(body) + " with " + (other == NO_BODY ? "what has no pose" : BodyId.toString(other));
    }
}
