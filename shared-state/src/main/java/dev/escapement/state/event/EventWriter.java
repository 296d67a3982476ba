package dev.escapement.state.event;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the contacts of a tick from a simulation, in any order. Spawns and despawns need no report: comparing snapshots finds them.
 *
 * <pre>{@code
 * events.contactEnded(ball, wall);
 * events.contactBegan(ball, EventWriter.NO_SLOT, 2f, 0f, 1f, 0f, -1f, 0f);   // the floor is below
 * }</pre>
 *
 * <p>Physics thread only, valid during {@code Simulation.events}. A call that throws has reported nothing.
 */
public final class EventWriter {

    /** The bodies that slots had when contacts were reported last, or when the simulation went back to an earlier state since. */
    public interface FormerBodies {

        /**
         * {@return the id of the body whose contacts a slot has; {@link BodyEvent#NO_BODY} if readers never saw that body}
         *
         * @param slot the slot
         */
        long id(int slot);

        /**
         * {@return the application's number for that body}
         *
         * @param slot the slot
         */
        long userData(int slot);
    }

    /** In place of a slot: the floor or any other thing without a pose. */
    public static final int NO_SLOT = -1;

    private TickEvents events;
    private @Nullable Snapshot now;
    private @Nullable Snapshot before;

    /** The contact that was reported last; {@link #isFlipped} says whether its sides were swapped. */
    private @Nullable BodyEvent last;

    private boolean isFlipped;
    private boolean discards;

    private final TickEvents unstepped;
    private final FormerBodies bodiesBefore = new BodiesBefore();
    private FormerBodies former = bodiesBefore;

    /** Takes the details of a contact that is no event, or is discarded. */
    private final BodyEvent ignored = new BodyEvent();

    /** Finds former bodies by snapshots, for simulations that never go back. */
    private final class BodiesBefore implements FormerBodies {

        @Override
        public long id(int slot) {
            BodyEvent despawned = despawned(slot);
            return despawned == null ? before(slot).id(slot) : despawned.body();
        }

        @Override
        public long userData(int slot) {
            BodyEvent despawned = despawned(slot);
            return despawned == null ? before(slot).userData(slot) : despawned.userData();
        }

        private @Nullable BodyEvent despawned(int slot) {
            BodyEvent first = unstepped.findInSlot(slot);
            return first == null || first.kind() == BodyEvent.Kind.SPAWNED ? null : first;
        }

        private Bodies before(int slot) {
            Snapshot snapshot = before;
            return snapshot != null && snapshot.bodies().exists(slot)
                    ? snapshot.bodies()
                    : Objects.requireNonNull(now).bodies();
        }
    }

    EventWriter(TickEvents events, TickEvents unstepped) {
        this.events = events;
        this.unstepped = unstepped;
    }

    void begin(TickEvents newEvents, @Nullable Snapshot newBefore, Snapshot newNow) {
        events = newEvents;
        before = newBefore;
        now = newNow;
    }

    void beginDiscarding() {
        discards = true;
        last = ignored;
    }

    void end() {
        before = null;
        now = null;
        last = null;
        discards = false;
        former = bodiesBefore;
    }

    /**
     * Names the bodies that {@link #contactEnded} means from now on in this tick. Only a simulation that may go back to an earlier state
     * needs this: there a slot may have had another body in the tick before, whose contacts they are not.
     *
     * @param bodies the bodies
     */
    public void formerBodies(FormerBodies bodies) {
        former = bodies;
    }

    /**
     * Reports that two bodies touch, and did not in the tick before. A point or normal that is not finite makes both unknown.
     *
     * @param slot  the slot of a body, or {@link #NO_SLOT}
     * @param other the slot of the other side, or {@link #NO_SLOT}
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
        requireLast().kind = BodyEvent.Kind.CONTACT_LASTS;
    }

    /**
     * Sets the strength of the contact that was reported last. Pass NaN for an unknown value, the default.
     *
     * @param impulse      the impulse along the normal in this tick, newton seconds
     * @param closingSpeed the speed at which both sides approached along the normal before the engine stopped them, metres a second
     * @throws IllegalStateException if no contact was reported before in the same tick's events
     */
    public void strength(float impulse, float closingSpeed) {
        requireLast().setStrength(impulse, closingSpeed);
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
        requireLast()
                .setShapes(key, isFlipped ? otherShape : shape, isFlipped ? shape : otherShape, isSensor, isOfBodies);
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
     * body that it had in the tick before; if it had none then, the body that it has in this tick. A simulation that goes back names these
     * bodies by {@link #formerBodies}. A body that readers never saw has no event.
     *
     * @param slot  the slot of a body, or {@link #NO_SLOT}
     * @param other the slot of the other side, or {@link #NO_SLOT}
     * @throws IndexOutOfBoundsException if there is no such body, neither in the tick before nor in this one
     * @throws IllegalArgumentException  if both are the same, or neither is a body
     * @throws IllegalStateException     outside of a tick's events
     */
    public void contactEnded(int slot, int other) {
        if (discards) {
            return;
        }
        requireTick(slot, other);
        long id = slot == NO_SLOT ? BodyEvent.NO_BODY : former.id(slot);
        long otherId = other == NO_SLOT ? BodyEvent.NO_BODY : former.id(other);
        if ((slot != NO_SLOT && id == BodyEvent.NO_BODY) || (other != NO_SLOT && otherId == BodyEvent.NO_BODY)) {
            last = ignored;
            return;
        }
        add(
                BodyEvent.Kind.CONTACT_ENDED,
                id,
                slot == NO_SLOT ? 0 : former.userData(slot),
                otherId,
                other == NO_SLOT ? 0 : former.userData(other));
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
        return slot == NO_SLOT ? BodyEvent.NO_BODY : bodies.id(slot);
    }

    private static long userData(Bodies bodies, int slot) {
        return slot == NO_SLOT ? 0 : bodies.userData(slot);
    }

    private Snapshot requireTick(int slot, int other) {
        Snapshot tick = now;
        if (tick == null) {
            throw new IllegalStateException("contacts can be reported only while a tick's events are collected");
        }
        if (slot == other) {
            throw new IllegalArgumentException(
                    slot == NO_SLOT
                            ? "a contact needs a body, but both sides are NO_SLOT"
                            : "body " + slot + " cannot touch itself in tick " + tick.tick());
        }
        return tick;
    }

    private static boolean isFinite(float x, float y, float z) {
        return Float.isFinite(x) && Float.isFinite(y) && Float.isFinite(z);
    }
}
