package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.ContactManifold;
import com.github.stephengold.joltjni.ContactSettings;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import com.github.stephengold.joltjni.readonly.ConstObjectLayerPairFilter;
import dev.escapement.physics.contact.ContactPairs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The contact listener of a Jolt system. Jolt calls it within an update, with native addresses that are valid during the call. Jolt first
 * calls {@link #onContactValidate} for one or each hit of a moved pair of bodies; only that call has points. Then it reduces the hits to
 * pairs of shapes, and calls {@link #onContactAdded} or {@link #onContactPersisted} for each.
 *
 * <p>Used by the updating thread only. No exception may leave a callback. A contact that begins allocates a few small objects of the
 * binding; one that continues allocates none.
 *
 * <p>Jolt keeps the native listener for ever, and that keeps this object: call {@link #letGo} at the end to free what it refers to.
 */
final class JoltContacts extends CustomContactListener implements ContactPairs.Sleepers {

    @SuppressWarnings("EnumOrdinal") // the binding numbers the results by their ordinals
    private static final int ACCEPT = ValidateResult.AcceptAllContactsForThisBodyPair.ordinal();

    @SuppressWarnings("EnumOrdinal")
    private static final int ACCEPT_THIS = ValidateResult.AcceptContact.ordinal();

    private static final int NUMBERS = 7;
    private static final int FEW = 64;

    /** Added to a body's address, this flag stands for a body without a slot. It is larger than any slot, and no address has its bit. */
    private static final long NEW_BODY = 1L << 62;

    /** The game's listener, which gets all calls too, because a Jolt system has only one listener. */
    private final @Nullable CustomContactListener next;

    private final PhysicsSystem system;
    private final BodyInterface bodyInterface;
    private final ConstObjectLayerPairFilter layers;

    private ContactPairs pairs = new ContactPairs();
    private LongUnaryOperator sides = ContactPairs::unattached;
    private ContactPairs.ClosingSpeeds speeds = ContactPairs.ClosingSpeeds.UNKNOWN;
    private IntFunction<@Nullable Body> bodyAt = slot -> null;
    private boolean listening;

    /** The touching bodies that are not attached, by their ids; some may be destroyed. */
    private final Map<Integer, Body> others = new HashMap<>();

    private int othersBeforeSweep = FEW;

    // The fields below are about the two bodies for which Jolt validates hits: their addresses, whether the game
    // accepts all their contacts, and whether Jolt has begun to add these.
    private long hitBody;
    private long hitOther;
    private boolean isAllAccepted;
    private boolean isAdding;

    /** The hits of the two bodies for which Jolt validates hits. Each has both shapes, and a place. */
    private final Entries hits = new Entries();

    /**
     * The contacts of this step, which are reported after it. Each has two sides, that is, the slots or keys of its bodies, both shapes, 1
     * for a sensor, and the place of the beginning. The side of a body without a slot is NEW_BODY plus the body's address.
     */
    private final Entries contacts = new Entries();

    /** A list of entries. Each has five longs, and a place: x, y, z, the normal from the first body to the other, and the closing speed. */
    private static final class Entries {

        private static final int STRIDE = 5;

        private long[] keys = new long[8 * STRIDE];
        private double[] places = new double[8 * NUMBERS];
        private int count;

        /** Adds an entry with an unknown place. Returns its number. */
        int add(long a, long b, long c, long d, long e) {
            if ((count + 1) * STRIDE > keys.length) {
                keys = Arrays.copyOf(keys, 2 * keys.length);
                places = Arrays.copyOf(places, 2 * places.length);
            }
            Arrays.fill(places, count * NUMBERS, (count + 1) * NUMBERS, Double.NaN);
            int at = count * STRIDE;
            keys[at] = a;
            keys[at + 1] = b;
            keys[at + 2] = c;
            keys[at + 3] = d;
            keys[at + 4] = e;
            return count++;
        }

        long key(int entry, int index) {
            return keys[entry * STRIDE + index];
        }
    }

    private JoltContacts(PhysicsSystem system, @Nullable CustomContactListener next) {
        this.system = system;
        this.next = next;
        bodyInterface = JoltCalls.bodies(system);
        layers = JoltCalls.pairFilter(system);
    }

    /** Returns the listener of a system: an existing listener of this class, or a new one that replaces the game's listener. */
    static JoltContacts of(PhysicsSystem system) {
        requireToShare(system);
        ContactListener present = system.getContactListener();
        if (present instanceof JoltContacts ours) {
            return ours;
        }
        JoltContacts contacts = new JoltContacts(system, (CustomContactListener) present);
        system.setContactListener(contacts);
        return contacts;
    }

    /** Throws an {@link IllegalStateException} if the game's listener is of a class to which calls cannot be passed on. */
    static void requireToShare(PhysicsSystem system) {
        ContactListener present = system.getContactListener();
        if (present != null && !(present instanceof CustomContactListener)) {
            throw new IllegalStateException(
                    system + " has a " + present.getClass().getSimpleName()
                            + " for a contact listener, which would get no contacts any more; set a"
                            + " CustomContactListener instead, or none");
        }
    }

    /**
     * Reports contacts from now on.
     *
     * @param newSides  returns the side of the body at an address; while the body has no slot, {@link
     *                  ContactPairs.ClosingSpeeds#FIRST_WITHOUT_SLOT} or less
     * @param newSpeeds computes the closing speeds
     * @param newBodyAt returns the attached body in a slot
     */
    void report(
            ContactPairs newPairs,
            LongUnaryOperator newSides,
            ContactPairs.ClosingSpeeds newSpeeds,
            IntFunction<@Nullable Body> newBodyAt) {
        pairs = newPairs;
        sides = newSides;
        speeds = newSpeeds;
        bodyAt = newBodyAt;
    }

    void letGo() {
        listening = false;
        report(new ContactPairs(), ContactPairs::unattached, ContactPairs.ClosingSpeeds.UNKNOWN, slot -> null);
        others.clear();
    }

    /** Turns listening on or off. While it is off, calls are only passed on to the game's listener. */
    void listen(boolean toListen) {
        listening = toListen;
        forgetHits(0, 0);
        if (toListen) {
            contacts.count = 0;
        }
    }

    private void forgetHits(long body, long other) {
        hitBody = body;
        hitOther = other;
        isAllAccepted = false;
        isAdding = false;
        hits.count = 0;
    }

    /**
     * Reports the contacts of the step. Called after the capture, in which new bodies got their slots. A re-simulated tick has no capture,
     * so its new bodies have no slots.
     */
    void report() {
        for (int i = 0; i < contacts.count; i++) {
            if (pairs.touch(
                    sideNow(contacts.key(i, 0)),
                    (int) contacts.key(i, 2),
                    sideNow(contacts.key(i, 1)),
                    (int) contacts.key(i, 3),
                    contacts.key(i, 4) != 0)) {
                int at = i * NUMBERS;
                double[] p = contacts.places;
                pairs.point(p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 5], 0, p[at + 6]);
            }
        }
        contacts.count = 0;
    }

    private long sideNow(long sideThen) {
        return sideThen < NEW_BODY ? sideThen : sides.applyAsLong(sideThen - NEW_BODY);
    }

    /**
     * Jolt's first call for two bodies that have moved, and the only one with points. The return value requests a call for each hit,
     * several for bodies with several shapes; the game's listener gets no additional calls.
     */
    @Override
    public int onContactValidate(long body, long other, double baseX, double baseY, double baseZ, long result) {
        boolean isNext = body == hitBody && other == hitOther;
        int verdict = ACCEPT;
        if (next != null && !(isNext && isAllAccepted)) {
            verdict = next.onContactValidate(body, other, baseX, baseY, baseZ, result);
        }
        if (!listening || (verdict != ACCEPT && verdict != ACCEPT_THIS)) {
            return verdict;
        }
        if (!isNext || isAdding) {
            boolean wasAccepted = isNext && isAllAccepted;
            forgetHits(body, other);
            isAllAccepted = wasAccepted;
        }
        isAllAccepted |= verdict == ACCEPT;
        addHit(baseX, baseY, baseZ, new CollideShapeResult(result));
        return ACCEPT_THIS;
    }

    private void addHit(double baseX, double baseY, double baseZ, CollideShapeResult result) {
        int shape = result.getSubShapeId1();
        int otherShape = result.getSubShapeId2();
        long side = sides.applyAsLong(hitBody);
        long otherSide = sides.applyAsLong(hitOther);
        if (!knows(side, shape, otherSide, otherShape, false) && !knows(side, shape, otherSide, otherShape, true)) {
            int hit = hits.add(shape, otherShape, 0, 0, 0);
            place(hits.places, hit * NUMBERS, baseX, baseY, baseZ, result);
        }
    }

    private boolean knows(long side, int shape, long otherSide, int otherShape, boolean isSensor) {
        return isShown(side) && isShown(otherSide) && pairs.knows(side, shape, otherSide, otherShape, isSensor);
    }

    /**
     * Returns whether the side is known: the body has a slot, or is not attached. Any other body gets its slot in the capture after this
     * step.
     */
    private static boolean isShown(long side) {
        return side >= 0 || side <= ContactPairs.unattached(0);
    }

    /** Stores a place halfway between the deepest points of both bodies. */
    private static void place(
            double[] to, int at, double baseX, double baseY, double baseZ, CollideShapeResult result) {
        Vec3 on = result.getContactPointOn1();
        Vec3 onOther = result.getContactPointOn2();
        Vec3 axis = result.getPenetrationAxis();
        float scale = 1 / axis.length(); // if the axis is 0, the normal is not finite, and reported as unknown
        to[at] = baseX + (on.getX() + onOther.getX()) / 2;
        to[at + 1] = baseY + (on.getY() + onOther.getY()) / 2;
        to[at + 2] = baseZ + (on.getZ() + onOther.getZ()) / 2;
        to[at + 3] = scale * axis.getX();
        to[at + 4] = scale * axis.getY();
        to[at + 5] = scale * axis.getZ();
    }

    @Override
    public void onContactAdded(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactAdded(body, other, manifold, settings);
        }
        touch(body, other, manifold, settings);
    }

    /** Handles a continuing contact. It may be new to this object, because it may have begun before listening was turned on. */
    @Override
    public void onContactPersisted(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactPersisted(body, other, manifold, settings);
        }
        touch(body, other, manifold, settings);
    }

    private void touch(long body, long other, long manifold, long settings) {
        if (!listening) {
            return;
        }
        isAdding = true;
        ContactManifold shapes = new ContactManifold(manifold);
        int shape = shapes.getSubShapeId1();
        int otherShape = shapes.getSubShapeId2();
        boolean isSensor = new ContactSettings(settings).getIsSensor();
        long side = sides.applyAsLong(body);
        long otherSide = sides.applyAsLong(other);
        int contact = contacts.add(
                isShown(side) ? side : NEW_BODY + body,
                isShown(otherSide) ? otherSide : NEW_BODY + other,
                shape,
                otherShape,
                isSensor ? 1 : 0);
        if (!knows(side, shape, otherSide, otherShape, isSensor)) {
            place(contact * NUMBERS, body, other, shape, otherShape);
            double[] p = contacts.places;
            int at = contact * NUMBERS;
            p[at + 6] = speeds.of(side, otherSide, p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 5]);
        }
    }

    private void place(int at, long body, long other, int shape, int otherShape) {
        boolean isSwapped = body == hitOther && other == hitBody; // Jolt adds the body with the lower id first
        int from = isSwapped || (body == hitBody && other == hitOther)
                ? hitOf(isSwapped ? otherShape : shape, isSwapped ? shape : otherShape) * NUMBERS
                : -1;
        if (from < 0) {
            return; // no place is known, because the bodies have not moved since listening began
        }
        double[] p = contacts.places;
        System.arraycopy(hits.places, from, p, at, NUMBERS);
        for (int axis = 3; isSwapped && axis < 6; axis++) {
            p[at + axis] = 0 - p[at + axis];
        }
    }

    /** Returns the hit of two shapes, or the first hit if Jolt has reduced several to this contact; -1 if there is none. */
    private int hitOf(int shape, int otherShape) {
        int hit = hits.count - 1;
        while (hit > 0 && !(hits.key(hit, 0) == shape && hits.key(hit, 1) == otherShape)) {
            hit--;
        }
        return hit;
    }

    /**
     * Returns whether sleeping bodies still touch: both are in the system, their layers collide, and neither has begun or ceased to be a
     * sensor.
     */
    @Override
    public boolean touch(int side, int shape, long other, int otherShape, boolean isSensor) {
        Body body = bodyAt.apply(side);
        Body partner = other >= 0 ? bodyAt.apply((int) other) : unattached((int) (ContactPairs.unattached(0) - other));
        return body != null
                && partner != null
                && (body.isSensor() || partner.isSensor()) == isSensor
                && layers.shouldCollide(body.getObjectLayer(), partner.getObjectLayer());
    }

    /** Returns the unattached body of an id; null if it is no longer in the system. */
    private @Nullable Body unattached(int id) {
        if (!bodyInterface.isAdded(id)) {
            return null;
        }
        if (others.size() > othersBeforeSweep) {
            others.keySet().removeIf(known -> !bodyInterface.isAdded(known));
            othersBeforeSweep = FEW + 2 * others.size();
        }
        return others.computeIfAbsent(id, added -> JoltCalls.body(system, added));
    }

    /** Does nothing, because Jolt calls this also for bodies that fall asleep. A contact ends when a step does not report it. */
    @Override
    public void onContactRemoved(long subShapePair) {
        if (next != null) {
            next.onContactRemoved(subShapePair);
        }
    }
}
