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

    /** The slot of the floor and all other things without a pose. */
    public static final int NO_BODY = -1;

    private TickEvents events;
    private @Nullable Snapshot now;
    private @Nullable Snapshot before;
    private @Nullable BodyEvent began;
    private boolean discards;

    /** Bodies despawned since the last step, in ticks without one. */
    private final TickEvents goneBodies;

    EventWriter(TickEvents events, TickEvents goneBodies) {
        this.events = events;
        this.goneBodies = goneBodies;
    }

    /** Collects into a list, and translates slots by these snapshots until {@link #end()}. */
    void begin(TickEvents newEvents, @Nullable Snapshot newBefore, Snapshot newNow) {
        events = newEvents;
        before = newBefore;
        now = newNow;
    }

    /** Accepts every event and drops it, until {@link #end()}. */
    void beginDiscarding() {
        discards = true;
    }

    void end() {
        before = null;
        now = null;
        began = null;
        discards = false;
    }

    /**
     * Reports that two bodies touch that did not in the tick before. A point or normal that is not finite makes both unknown.
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
        long id = id(bodies, slot);
        BodyEvent event = add(
                BodyEvent.Kind.CONTACT_BEGAN, id, userData(bodies, slot), id(bodies, other), userData(bodies, other));
        began = event;
        if (isFinite(x, y, z) && isFinite(nx, ny, nz)) {
            boolean flipped = event.body() != id;
            event.setGeometry(x, y, z, flipped ? 0 - nx : nx, flipped ? 0 - ny : ny, flipped ? 0 - nz : nz);
        }
    }

    /**
     * Sets the strength of the last contact of {@link #contactBegan}. Pass NaN for an unknown value, the default.
     *
     * @param impulse      the impulse along the normal in this tick, newton seconds
     * @param closingSpeed the speed at which both sides approached along the normal before, metres a second
     * @throws IllegalStateException if no contact began before in the same tick's events
     */
    public void strength(float impulse, float closingSpeed) {
        if (discards) {
            return;
        }
        if (began == null) {
            throw new IllegalStateException("there is no contact to set a strength of; call contactBegan before");
        }
        began.setStrength(impulse, closingSpeed);
    }

    /**
     * Reports that two bodies that touched in the tick before no longer do, even if one was despawned in this tick. So a slot names its
     * body of the tick before, or, without one, its body of this tick.
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

    /** The bodies of the tick before if they include the slot, else those of this tick. */
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
