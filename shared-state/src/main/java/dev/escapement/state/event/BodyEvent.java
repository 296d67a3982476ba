package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyId;

/**
 * An event of a body in one tick: its spawn or despawn, or a contact.
 *
 * <pre>{@code
 * switch (event.kind()) {
 *     case CONTACT_BEGAN -> play(thud, event.closingSpeed(), event.x(), event.y(), event.z());
 *     case GAP -> startAnewFromTheSnapshot();
 *     default -> {}
 * }
 * }</pre>
 *
 * <p>Bodies with several shapes have a contact for each pair of shapes that touch. {@link #isOfBodies()} is true for the first contact of
 * two bodies that begins, and the last one that ends.
 *
 * <p>A stream reuses its events: read one only during its visit, and keep no reference.
 *
 * @see EventStream#drain
 */
public final class BodyEvent {

    /** The id of the floor and other things without a pose. No body ever has it. */
    public static final long NO_BODY = 0;

    /** The shape of a body whose simulation does not tell shapes apart. */
    public static final int NO_SHAPE = -1;

    /**
     * The kind of an event. Events of a tick with the same ids come in the order of these constants, except after a re-simulation, see
     * {@link EventStream}.
     */
    public enum Kind {
        /** This tick is the first whose snapshot has the body. */
        SPAWNED,
        /** A contact whose {@link #CONTACT_BEGAN} was delivered did not begin, as the re-simulation of its tick with late input found. */
        CONTACT_BEGAN_RETRACTED,
        /** A contact whose {@link #CONTACT_ENDED} was delivered did not end, as the re-simulation of its tick with late input found. */
        CONTACT_ENDED_RETRACTED,
        /** Two bodies, or a body and something without a pose, touched in the tick before and no longer do. */
        CONTACT_ENDED,
        /** Two bodies, or a body and something without a pose, touch and did not in the tick before. */
        CONTACT_BEGAN,
        /**
         * A contact that began in an earlier tick lasts; {@link #impulse()} is that of this tick. Only for bodies whose lasting contacts a
         * simulation was asked to report.
         */
        CONTACT_LASTS,
        /** This tick is the first whose snapshot no longer has the body. */
        DESPAWNED,
        /** Events are missing here, because the subscriber did not drain them in time: see {@link #missed()}. */
        GAP
    }

    // The package sets the fields that are not private; others use the methods.
    Kind kind = Kind.GAP;

    /**
     * The order among events of the same bodies in a tick, compared before their kinds; 0 unless a correction after a re-simulation sets
     * it.
     */
    int rank;

    long tick;
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
    private long otherKey;
    private int shape = NO_SHAPE;
    private int otherShape = NO_SHAPE;
    private boolean isSensor;
    boolean isOfBodies;
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

    void setShapes(long newOtherKey, int newShape, int newOtherShape, boolean newIsSensor, boolean newIsOfBodies) {
        otherKey = newOtherKey;
        shape = newShape;
        otherShape = newOtherShape;
        isSensor = newIsSensor;
        isOfBodies = newIsOfBodies;
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
        setShapes(source.otherKey, source.shape, source.otherShape, source.isSensor, source.isOfBodies);
    }

    void set(Kind newKind, long newTick, long newBody, long newOther) {
        kind = newKind;
        tick = newTick;
        body = newBody;
        other = newOther;
        setUserData(0, 0);
        setGeometry(0, 0, 0, 0, 0, 0);
        setStrength(Float.NaN, Float.NaN);
        setShapes(0, NO_SHAPE, NO_SHAPE, false, true);
        missed = 0;
        rank = 0;
    }

    /** {@return the kind of this event} */
    public Kind kind() {
        return kind;
    }

    /**
     * {@return the tick of this event} Its snapshot was published before the event. For a gap, the first tick whose events are missing; for
     * a contact that re-simulated ticks changed, the tick after these.
     */
    public long tick() {
        return tick;
    }

    /** {@return the {@link BodyId} of the body; for a contact of two bodies the smaller id; for a gap {@link #NO_BODY}} */
    public long body() {
        return body;
    }

    /**
     * {@return the {@link BodyId} of the other side of a contact; {@link #NO_BODY} for a thing without a pose, and for events that are no
     * contacts}
     */
    public long other() {
        return other;
    }

    /** {@return the application's number for {@link #body()}, even after the despawn; 0 for a gap} */
    public long userData() {
        return userData;
    }

    /** {@return the application's number for {@link #other()}, even after the despawn; 0 for {@link #NO_BODY}} */
    public long otherUserData() {
        return otherUserData;
    }

    /**
     * {@return a key that distinguishes other sides without a pose, such as a floor and a wall; 0 if the other side is a body} The
     * documentation of each engine's module defines the key. A thing keeps its key as long as it exists.
     */
    public long otherKey() {
        return otherKey;
    }

    /** {@return the engine's index or key of the shape of {@link #body()} that touches; {@link #NO_SHAPE} if it is not known} */
    public int shape() {
        return shape;
    }

    /** {@return the engine's index or key of the shape of the other side, see {@link #shape()}} */
    public int otherShape() {
        return otherShape;
    }

    /** {@return whether a shape of the contact is a sensor: it touches, and stops nothing} */
    public boolean isSensor() {
        return isSensor;
    }

    /**
     * {@return whether both sides as wholes began or ceased to touch} True for a contact that begins while no other shapes of the two sides
     * touch, and for a contact that ends if none touch any more. Contacts of sensors count separately. Always true in simulations that do
     * not tell shapes apart.
     */
    public boolean isOfBodies() {
        return isOfBodies;
    }

    /**
     * {@return x of the point where a contact began, or where it lasts in this tick, metres from the snapshot's origin} 0 for other kinds,
     * and undefined if the normal is (0, 0, 0).
     */
    public float x() {
        return x;
    }

    /** {@return y of the point, see {@link #x()}} */
    public float y() {
        return y;
    }

    /** {@return z of the point, see {@link #x()}} */
    public float z() {
        return z;
    }

    /**
     * {@return x of the unit normal from the body to the other side, at the point of {@link #x()}} The normal is (0, 0, 0) if the
     * simulation did not know point and normal.
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
     * {@return the impulse along the normal in the tick of a contact, newton seconds, summed over the points of the contact} NaN if the
     * simulation does not know it, and for other kinds. In engines whose contacts begin before bodies touch, the impulse of the first tick
     * is only a part of the impulse that stops the bodies: compare the strength of contacts by {@link #closingSpeed()}.
     */
    public float impulse() {
        return impulse;
    }

    /**
     * {@return the speed at which both sides approached along the normal where a contact began, before the engine stopped them, metres a
     * second} Negative if they moved apart. A side without a pose, such as an engine's body that was not attached to the simulation, counts
     * as at rest. NaN if the simulation does not know it, and for other kinds.
     */
    public float closingSpeed() {
        return closingSpeed;
    }

    /** {@return the number of events that are missing at a gap, 0 for other kinds} */
    public long missed() {
        return missed;
    }

    /** {@return the last tick whose events are missing at a gap; the event's own tick for other kinds} */
    public long lastMissedTick() {
        return kind == Kind.GAP ? lastMissedTick : tick;
    }

    @Override
    public String toString() {
        return "BodyEvent[tick " + tick + " " + kind
                + switch (kind) {
                    case SPAWNED, DESPAWNED -> " " + BodyId.toString(body) + " user data " + userData;
                    case CONTACT_ENDED, CONTACT_BEGAN_RETRACTED, CONTACT_ENDED_RETRACTED -> " " + contact();
                    case CONTACT_BEGAN, CONTACT_LASTS ->
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
        return BodyId.toString(body) + " with "
                + (other == NO_BODY ? "something without a pose" : BodyId.toString(other))
                + (shape == NO_SHAPE && otherShape == NO_SHAPE ? "" : " (shapes " + shape + " and " + otherShape + ")")
                + (isSensor ? ", a sensor" : "");
    }
}
