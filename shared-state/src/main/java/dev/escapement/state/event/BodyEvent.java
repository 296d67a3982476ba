package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyId;

/**
 * One thing that happened to a body in one tick.
 *
 * <pre>{@code
 * switch (event.kind()) {
 *     case CONTACT_BEGAN -> play(thud, event.closingSpeed(), event.x(), event.y(), event.z());
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

    /** What happened. Events of a tick with the same ids come in this order, except as {@link EventStream} says. */
    public enum Kind {
        /** This tick is the first whose snapshot has the body. */
        SPAWNED,
        /** A contact whose {@link #CONTACT_BEGAN} was delivered did not begin: its tick was re-simulated with late input. */
        CONTACT_BEGAN_WITHDRAWN,
        /** A contact whose {@link #CONTACT_ENDED} was delivered did not end: its tick was re-simulated with late input. */
        CONTACT_ENDED_WITHDRAWN,
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
    private int rank;
    private long tick;
    private long body;
    private long other;
    private long userData;
    private long otherUserData;
    private float x;
    private float y;
    private float z;
    private float nx;
    private float ny;
    private float nz;
    private float impulse = Float.NaN;
    private float closingSpeed = Float.NaN;
    private long missed;
    private long lastMissedTick;

    BodyEvent() {}

    void setLifecycle(Kind newKind, long newTick, long newBody, long newUserData) {
        set(newKind, newTick, newBody, NO_BODY);
        setUserData(newUserData, 0);
    }

    void setUserData(long newUserData, long newOtherUserData) {
        userData = newUserData;
        otherUserData = newOtherUserData;
    }

    void setGeometry(float newX, float newY, float newZ, float newNx, float newNy, float newNz) {
        x = newX;
        y = newY;
        z = newZ;
        nx = newNx;
        ny = newNy;
        nz = newNz;
    }

    void setStrength(float newImpulse, float newClosingSpeed) {
        impulse = newImpulse;
        closingSpeed = newClosingSpeed;
    }

    void setGap(long firstTick, long lastTick, long events) {
        set(Kind.GAP, firstTick, NO_BODY, NO_BODY);
        missed = events;
        lastMissedTick = lastTick;
    }

    void copyFrom(BodyEvent source) {
        set(source.kind, source.tick, source.body, source.other);
        setUserData(source.userData, source.otherUserData);
        setGeometry(source.x, source.y, source.z, source.nx, source.ny, source.nz);
        setStrength(source.impulse, source.closingSpeed);
    }

    /** Copies {@code source} for delivery in {@code newTick}. */
    void copyForTick(BodyEvent source, Kind newKind, long newTick, int newRank) {
        copyFrom(source);
        kind = newKind;
        tick = newTick;
        lastMissedTick = newTick;
        rank = newRank;
    }

    /** The order among the events of the same bodies in a tick, before the kind; 0 unless a correction sets it. */
    int rank() {
        return rank;
    }

    void set(Kind newKind, long newTick, long newBody, long newOther) {
        kind = newKind;
        tick = newTick;
        body = newBody;
        other = newOther;
        setUserData(0, 0);
        setGeometry(0, 0, 0, 0, 0, 0);
        setStrength(Float.NaN, Float.NaN);
        missed = 0;
        lastMissedTick = newTick;
        rank = 0;
    }

    /** {@return what happened} */
    public Kind kind() {
        return kind;
    }

    /**
     * {@return the tick in which it happened, whose snapshot was published before this event; of a gap, the first tick that misses events;
     * of contacts in re-simulated ticks, the tick after them}
     */
    public long tick() {
        return tick;
    }

    /** {@return the {@link BodyId} of the body; of a contact of two bodies, the smaller id; of a gap, {@link #NO_BODY}} */
    public long body() {
        return body;
    }

    /** {@return the {@link BodyId} of the other side of a contact; {@link #NO_BODY} for a thing without a pose, and for other kinds} */
    public long other() {
        return other;
    }

    /** {@return the application's own number for {@link #body()}, also for one that is gone; 0 for a gap} */
    public long userData() {
        return userData;
    }

    /** {@return the application's own number for {@link #other()}, also for one that is gone; 0 if that is {@link #NO_BODY}} */
    public long otherUserData() {
        return otherUserData;
    }

    /**
     * {@return x of the point where a contact began, metres from the snapshot's origin} 0 for other kinds, and meaningless if the normal is
     * (0, 0, 0).
     */
    public float x() {
        return x;
    }

    /** {@return y of the point where a contact began, metres, see {@link #x()}} */
    public float y() {
        return y;
    }

    /** {@return z of the point where a contact began, metres, see {@link #x()}} */
    public float z() {
        return z;
    }

    /**
     * {@return x of the unit normal from the body to the other, where a contact began} (0, 0, 0) if the simulation did not know point and
     * normal.
     */
    public float nx() {
        return nx;
    }

    /** {@return y of the unit normal, see {@link #nx()}} */
    public float ny() {
        return ny;
    }

    /** {@return z of the unit normal, see {@link #nx()}} */
    public float nz() {
        return nz;
    }

    /**
     * {@return the impulse along the normal that the engine applied in the tick in which a contact began, newton seconds, the sum over its
     * points} NaN if the simulation does not know it, and for other kinds. Where contacts begin before bodies touch, it is only a part of
     * what stops them: for a strength that compares two contacts, take {@link #closingSpeed()}.
     */
    public float impulse() {
        return impulse;
    }

    /**
     * {@return how fast both sides approached along the normal where a contact began, before the engine stopped them, metres a second}
     * Negative if they moved apart. What has no pose, such as a body that is not attached, counts as at rest. NaN if the simulation does not know it, and for other kinds.
     */
    public float closingSpeed() {
        return closingSpeed;
    }

    /** {@return how many events are missing in a gap, 0 for other kinds} */
    public long missed() {
        return missed;
    }

    /** {@return the last tick that misses events in a gap; the event's own tick for other kinds} */
    public long lastMissedTick() {
        return lastMissedTick;
    }

    @Override
    public String toString() {
        return "BodyEvent[tick " + tick + " " + kind
                + switch (kind) {
                    case SPAWNED, DESPAWNED -> " " + BodyId.toString(body) + " user data " + userData;
                    case CONTACT_ENDED, CONTACT_BEGAN_WITHDRAWN, CONTACT_ENDED_WITHDRAWN -> " " + contact();
                    case CONTACT_BEGAN ->
                        " " + contact() + " at (" + x + ", " + y + ", " + z + ") normal (" + nx + ", " + ny + ", " + nz
                                + ")" + known(" impulse ", impulse, " N s")
                                + known(" closing at ", closingSpeed, " m/s");
                    case GAP -> " of " + missed + " events, until tick " + lastMissedTick;
                }
                + "]";
    }

    private static String known(String name, float value, String unit) {
        return Float.isNaN(value) ? "" : name + value + unit;
    }

    private String contact() {
        return BodyId.toString(body) + " with " + (other == NO_BODY ? "what has no pose" : BodyId.toString(other));
    }
}
