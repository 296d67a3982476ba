package dev.escapement.state.event;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Takes the contacts of a tick from a simulation, in any order. Spawns and despawns need no report: comparing snapshots finds them.
 *
 * <pre>{@code
 * events.contactEnded(ball, wall);
 * events.contactBegan(ball, EventWriter.NO_BODY, 2f, 0f, 1f, 0f, -1f, 0f);   // the floor is below
 * }</pre>
 *
 * <p>Physics thread only, valid during {@code Simulation.events}. A call that throws has reported nothing.
 */
public final class EventWriter {

    /** In place of a slot: the floor or any other thing without a pose. */
    public static final int NO_BODY = -1;

    private TickEvents events;
    private @Nullable Snapshot now;
    private @Nullable Snapshot before;

    /** The contact that was reported last; {@link #isFlipped} says whether its sides were swapped. */
    private @Nullable BodyEvent last;

    private boolean isFlipped;
    private boolean discards;

    private final TickEvents goneBodies;

    EventWriter(TickEvents events, TickEvents goneBodies) {
        this.events = events;
        this.goneBodies = goneBodies;
    }

    void begin(TickEvents newEvents, @Nullable Snapshot newBefore, Snapshot newNow) {
        events = newEvents;
        before = newBefore;
        now = newNow;
    }

    void beginDiscarding() {
        discards = true;
    }

    void end() {
        before = null;
        now = null;
        last = null;
        discards = false;
    }

    /**
     * Reports that two bodies touch, and did not in the tick before. A point or normal that is not finite makes both unknown.
     *
     * @param slot  the slot of a body, or {@link #NO_BODY}
     * @param other the slot of the other side, or {@link #NO_BODY}
     * @param x     the point, metres from the snapshot's origin
     * @param y     the point, metres from the snapshot's origin
     * @param z     the point, metres from the snapshot's origin
     * @param nx    the unit normal from the first to the other, x
     * @param ny    the unit normal from the first to the other, y
     * @param nz    the unit normal from the first to the other, z
     * @throws IndexOutOfBoundsException if there is no such body in this tick
     * @throws IllegalArgumentException  if both are the same, or neither is a body
     * @throws IllegalStateException     outside of a tick's events
     */
    public void contactBegan(int slot, int other, float x, float y, float z, float nx, float ny, float nz) {
        if (discards) {
            return;
        }
        Bodies bodies = requireTick(slot, other).bodies();
        BodyEvent event = add(
                BodyEvent.Kind.CONTACT_BEGAN,
                id(bodies, slot),
                userData(bodies, slot),
                id(bodies, other),
                userData(bodies, other));
        if (isFinite(x, y, z) && isFinite(nx, ny, nz)) {
            event.setGeometry(x, y, z, isFlipped ? 0 - nx : nx, isFlipped ? 0 - ny : ny, isFlipped ? 0 - nz : nz);
        }
    }

    /**
     * Marks the contact of the last {@link #contactBegan} as one that began in an earlier tick and lasts. Its {@link #strength} is that of
     * this tick.
     */
    public void lasts() {
        if (!discards) {
            requireLast().lasts();
        }
    }

    /**
     * Sets the strength of the contact that was reported last. Pass NaN for an unknown value, the default.
     *
     * @param impulse      the impulse along the normal in this tick, newton seconds
     * @param closingSpeed the speed at which both sides approached along the normal before the engine stopped them, metres a second
     * @throws IllegalStateException if no contact was reported before in the same tick's events
     */
    public void strength(float impulse, float closingSpeed) {
        if (!discards) {
            requireLast().setStrength(impulse, closingSpeed);
        }
    }

    /**
     * Says which shapes touch in the contact that was reported last. By default it is a contact of whole bodies, see
     * {@link BodyEvent#isOfBodies()}.
     *
     * @param key        see {@link BodyEvent#otherKey()}; 0 if both sides are bodies
     * @param shape      the engine's index or key of the shape of the first side
     * @param otherShape the engine's index or key of the shape of the other side
     * @param isSensor   whether one of the two is a sensor
     * @param isOfBodies whether no other shapes of the two sides touch
     * @throws IllegalStateException if no contact was reported before in the same tick's events
     */
    public void shapes(long key, int shape, int otherShape, boolean isSensor, boolean isOfBodies) {
        if (!discards) {
            requireLast()
                    .setShapes(
                            key, isFlipped ? otherShape : shape, isFlipped ? shape : otherShape, isSensor, isOfBodies);
        }
    }

    private BodyEvent requireLast() {
        BodyEvent contact = last;
        if (contact == null) {
            throw new IllegalStateException(
                    "no contact was reported yet in this tick; report one before you say more of it");
        }
        return contact;
    }

    /**
     * Reports that two bodies that touched in the tick before no longer do, even if one was despawned in this tick. So a slot means the
     * body that it had in the tick before; if it had none then, the body that it has in this tick.
     *
     * @param slot  the slot of a body, or {@link #NO_BODY}
     * @param other the slot of the other side, or {@link #NO_BODY}
     * @throws IndexOutOfBoundsException if there is no such body, neither in the tick before nor in this one
     * @throws IllegalArgumentException  if both are the same, or neither is a body
     * @throws IllegalStateException     outside of a tick's events
     */
    public void contactEnded(int slot, int other) {
        if (discards) {
            return;
        }
        Bodies bodies = requireTick(slot, other).bodies();
        add(
                BodyEvent.Kind.CONTACT_ENDED,
                idBefore(slot, bodies),
                userDataBefore(slot, bodies),
                idBefore(other, bodies),
                userDataBefore(other, bodies));
    }

    private BodyEvent add(BodyEvent.Kind kind, long id, long data, long otherId, long otherData) {
        boolean inOrder = otherId == BodyEvent.NO_BODY || (id != BodyEvent.NO_BODY && id < otherId);
        BodyEvent event = events.add();
        event.set(kind, events.tick(), inOrder ? id : otherId, inOrder ? otherId : id);
        event.setUserData(inOrder ? data : otherData, inOrder ? otherData : data);
        last = event;
        isFlipped = !inOrder;
        return event;
    }

    private static long id(Bodies bodies, int slot) {
        return slot == NO_BODY ? BodyEvent.NO_BODY : bodies.id(slot);
    }

    private static long userData(Bodies bodies, int slot) {
        return slot == NO_BODY ? 0 : bodies.userData(slot);
    }

    private long idBefore(int slot, Bodies bodies) {
        BodyEvent despawned = goneBodies.findInSlot(slot);
        return despawned == null ? id(before(slot, bodies), slot) : despawned.body();
    }

    private long userDataBefore(int slot, Bodies bodies) {
        BodyEvent despawned = goneBodies.findInSlot(slot);
        return despawned == null ? userData(before(slot, bodies), slot) : despawned.userData();
    }

    private Bodies before(int slot, Bodies bodies) {
        Snapshot snapshot = before;
        return snapshot != null && snapshot.bodies().exists(slot) ? snapshot.bodies() : bodies;
    }

    private Snapshot requireTick(int slot, int other) {
        Snapshot tick = now;
        if (tick == null) {
            throw new IllegalStateException("contacts can be reported only while a tick's events are collected");
        }
        if (slot == other) {
            throw new IllegalArgumentException(
                    slot == NO_BODY
                            ? "a contact needs a body, but both sides are NO_BODY"
                            : "body " + slot + " cannot touch itself in tick " + tick.tick());
        }
        return tick;
    }

    private static boolean isFinite(float x, float y, float z) {
        return Float.isFinite(x) && Float.isFinite(y) && Float.isFinite(z);
    }
}
